INSERT INTO record.representation_version (topic, changed, purged) VALUES ('items', 41, 3), ('reports', 7, 0);
INSERT INTO foundation.strict_limit (key, admitted_at, last_admitted, expires_at) VALUES
  ('auth:203.0.113.7', ARRAY['2026-01-05 08:00:00.123456+00', '2026-01-05 08:00:01.5+00']::timestamptz[], true, '2026-01-05 08:01:01.5+00'),
  ('auth:2001:db8::/64', ARRAY[]::timestamptz[], false, '2026-01-05 08:00:00+00');
