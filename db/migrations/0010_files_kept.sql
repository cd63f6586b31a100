-- What was handed to other servers is kept whatever the ledger's retention says.
CREATE TRIGGER `uploads_no_delete` BEFORE DELETE ON `uploads`
BEGIN
  SELECT RAISE(ABORT, 'uploads are kept');
END;
--> statement-breakpoint
CREATE TRIGGER `upload_entries_no_delete` BEFORE DELETE ON `upload_entries`
BEGIN
  SELECT RAISE(ABORT, 'upload_entries are kept');
END;
--> statement-breakpoint
CREATE TRIGGER `lookups_no_delete` BEFORE DELETE ON `lookups`
BEGIN
  SELECT RAISE(ABORT, 'lookups are kept');
END;
--> statement-breakpoint
CREATE TRIGGER `lookups_no_update` BEFORE UPDATE ON `lookups`
BEGIN
  SELECT RAISE(ABORT, 'lookups are kept');
END;
