-- Counts the changes of bots in a distributed database, so that the engine asks the nodes of users only after one. One PostgreSQL answers the
-- engine's questions from an index, and leaves it alone.
create sequence bot_changes;
