-- Evidence is added to and never changed. drizzle-kit does not know triggers: a migration that rebuilds one of
-- these tables drops them without a word and has to make them again (db/migrate.int.test.ts compares the list).
CREATE TRIGGER `ledger_events_no_update` BEFORE UPDATE ON `ledger_events`
BEGIN
  SELECT RAISE(ABORT, 'ledger_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_events_no_delete` BEFORE DELETE ON `ledger_events`
BEGIN
  SELECT RAISE(ABORT, 'ledger_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_events_no_update` BEFORE UPDATE ON `audit_events`
BEGIN
  SELECT RAISE(ABORT, 'audit_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_events_no_delete` BEFORE DELETE ON `audit_events`
BEGIN
  SELECT RAISE(ABORT, 'audit_events is append-only');
END;
