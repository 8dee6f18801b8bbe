-- A slice of a block is a share of its users, told by a hash of their ids: nothing numbers the wishes any more.
alter table block_wishes drop column slice;
