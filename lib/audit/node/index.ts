export { AuditLog, type AuditEvent, type AuditRecord, type AuditWriter } from './audit-log';
