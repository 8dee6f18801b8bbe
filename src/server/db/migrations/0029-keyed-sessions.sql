-- Sessions are found by keyed hashes from now on. Those of today have plain ones: everybody signs in once more.
delete from operator_sessions;
delete from proofs;
delete from sessions;
