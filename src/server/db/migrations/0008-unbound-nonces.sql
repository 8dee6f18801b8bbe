-- A nonce may be requested before the wallet is known. The signed message then names its address and chain.
alter table wallet_nonces alter column wallet_address drop not null;
alter table wallet_nonces alter column chain_id drop not null;
