-- The bytes of an upload in parts that had arrived in the bucket at active_at: a reservation without new bytes shrinks.
ALTER TABLE storage.upload ADD COLUMN parts_arrived bigint CHECK (parts_arrived >= 0);
GRANT UPDATE (parts_arrived) ON storage.upload TO daybook_application;
