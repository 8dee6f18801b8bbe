-- Run once as postgres on the primary. The owner's address is DATABASE_OWNER_URL, the app's is DATABASE_URL.
create role trading_bot_owner login password 'OWNER_PASSWORD';
create role trading_bot_app login password 'APP_PASSWORD';
create database trading_bot owner trading_bot_owner;
-- For `npm run ops -- restore`.
grant set on parameter session_replication_role to trading_bot_owner;
