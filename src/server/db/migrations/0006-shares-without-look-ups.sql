-- A share is written from the position that it changed, a fee from its share, each in one statement: they cannot hang in the air, and the
-- position holds the bot. Looking each bot up again, and locking it, took more than half of an allocation's time. Reconcile checks both.
alter table bot_trades drop constraint bot_trades_bot;
alter table platform_fees drop constraint platform_fees_trade;
