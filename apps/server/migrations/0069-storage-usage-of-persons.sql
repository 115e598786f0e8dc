-- The bytes of each project and of each person, beside those of the organization. A blob counts for its project and for
-- the account that stored it. A trigger counts, so that processes of an earlier release count as well.
ALTER TABLE storage.blob
  -- Both null in rows of earlier releases, until a worker sets them.
  ADD COLUMN stored_by uuid,
  -- Its size; of an open upload without recent bytes: what has arrived.
  ADD COLUMN counted_bytes bigint;
-- The last time when bytes arrived; null: the time of the reservation.
ALTER TABLE storage.upload ADD COLUMN active_at timestamptz;

CREATE TABLE storage.project_usage (
  project_id uuid PRIMARY KEY REFERENCES storage.project ON DELETE CASCADE,
  quota_bytes bigint CHECK (quota_bytes >= 0),
  bytes bigint NOT NULL DEFAULT 0
);
CREATE TABLE storage.person_usage (
  organization_id uuid NOT NULL REFERENCES identity.organization ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES identity.account ON DELETE CASCADE,
  quota_bytes bigint CHECK (quota_bytes >= 0),
  bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, account_id)
);
GRANT SELECT, INSERT ON storage.project_usage, storage.person_usage TO daybook_application;
GRANT UPDATE (quota_bytes, bytes) ON storage.project_usage, storage.person_usage TO daybook_application;
GRANT UPDATE (stored_by, counted_bytes) ON storage.blob TO daybook_application;
GRANT UPDATE (active_at) ON storage.upload TO daybook_application;
GRANT UPDATE (quota_bytes) ON storage.usage TO daybook_application;

CREATE FUNCTION storage.add_bytes(of_project uuid, of_person uuid, delta bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF delta = 0 THEN RETURN; END IF;
  INSERT INTO storage.project_usage AS present (project_id, bytes) VALUES (of_project, delta)
  ON CONFLICT (project_id) DO UPDATE SET bytes = present.bytes + excluded.bytes;
  INSERT INTO storage.person_usage AS present (organization_id, account_id, bytes)
  SELECT organization_id, of_person, delta FROM storage.project WHERE id = of_project AND of_person IS NOT NULL
  ON CONFLICT (organization_id, account_id) DO UPDATE SET bytes = present.bytes + excluded.bytes;
END $$;

-- Deferred: at the end of a transaction it has locked the row of the organization's usage, and all transactions lock the
-- rows of usage in the same order.
CREATE FUNCTION storage.count_blob() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.condemned_at IS NULL THEN
    PERFORM storage.add_bytes(OLD.project_id, OLD.stored_by, -coalesce(OLD.counted_bytes, 0));
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.condemned_at IS NULL THEN
    PERFORM storage.add_bytes(NEW.project_id, NEW.stored_by, coalesce(NEW.counted_bytes, 0));
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER blob_is_counted AFTER INSERT OR DELETE ON storage.blob
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION storage.count_blob();
CREATE CONSTRAINT TRIGGER blob_is_counted_again AFTER UPDATE ON storage.blob
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.counted_bytes IS DISTINCT FROM NEW.counted_bytes OR OLD.condemned_at IS DISTINCT FROM NEW.condemned_at
    OR OLD.stored_by IS DISTINCT FROM NEW.stored_by OR OLD.project_id IS DISTINCT FROM NEW.project_id)
  EXECUTE FUNCTION storage.count_blob();

-- Reserves the space in all quotas, or returns the one that is exhausted. Its statements see what other transactions
-- have reserved until they released the row of the organization. Percentages are parts of the organization's quota.
CREATE FUNCTION storage.take_room(
  of_organization uuid, of_project uuid, of_person uuid, wanted bigint, default_quota bigint,
  guest_percent integer, guests_percent integer, person_percent integer, members_percent integer, uploads_max bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  quota bigint;
  taken bigint;
  member_role text;
  own_quota bigint;
  own_bytes bigint;
BEGIN
  SELECT coalesce(quota_bytes, default_quota), used_bytes + reserved_bytes INTO quota, taken
  FROM storage.usage WHERE organization_id = of_organization FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO storage.usage (organization_id) VALUES (of_organization) ON CONFLICT DO NOTHING;
    SELECT coalesce(quota_bytes, default_quota), used_bytes + reserved_bytes INTO quota, taken
    FROM storage.usage WHERE organization_id = of_organization FOR UPDATE;
  END IF;
  IF taken + wanted > quota THEN RETURN 'organization'; END IF;
  IF EXISTS (SELECT FROM storage.project_usage
             WHERE project_id = of_project AND bytes + wanted > quota_bytes) THEN RETURN 'project'; END IF;
  SELECT role INTO member_role FROM identity.organization_membership
  WHERE organization_id = of_organization AND account_id = of_person;
  SELECT quota_bytes, bytes INTO own_quota, own_bytes FROM storage.person_usage
  WHERE organization_id = of_organization AND account_id = of_person;
  own_bytes := coalesce(own_bytes, 0);
  IF own_bytes + wanted > own_quota THEN RETURN 'person'; END IF;
  IF (SELECT count(*) FROM (SELECT FROM storage.upload WHERE created_by = of_person AND state = 'open'
      LIMIT uploads_max) AS open_upload) >= uploads_max THEN RETURN 'uploads'; END IF;
  IF member_role IS NULL OR member_role NOT IN ('owner', 'admin') THEN
    IF taken + wanted > quota * members_percent / 100 THEN RETURN 'members'; END IF;
    IF own_quota IS NULL AND own_bytes + wanted
      > quota * (CASE member_role WHEN 'guest' THEN guest_percent ELSE person_percent END) / 100 THEN RETURN 'person';
    END IF;
    IF member_role = 'guest' AND wanted + (
      SELECT coalesce(sum(bytes), 0) FROM storage.person_usage JOIN identity.organization_membership AS guest
        ON guest.organization_id = person_usage.organization_id AND guest.account_id = person_usage.account_id
      WHERE person_usage.organization_id = of_organization AND guest.role = 'guest'
    ) > quota * guests_percent / 100 THEN RETURN 'guests'; END IF;
  END IF;
  UPDATE storage.usage SET reserved_bytes = reserved_bytes + wanted WHERE organization_id = of_organization;
  RETURN NULL;
END $$;
