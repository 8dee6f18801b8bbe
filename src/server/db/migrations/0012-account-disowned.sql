-- The kind is named after its cause, "This was not me". Operators freeze accounts.
update notices set kind = 'account-disowned' where kind = 'account-frozen';
update deliveries set kind = 'account-disowned' where kind = 'account-frozen';
