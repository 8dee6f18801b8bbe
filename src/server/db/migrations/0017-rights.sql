-- Accounts that their users closed: the records of their money stay, what identified them is erased.
alter table users add column closed_at timestamptz;

-- What one person did, for the copy of their data.
create index audit_events_actor on audit_events (actor, id);
