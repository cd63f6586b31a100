export { AuditLog, type AuditRecord, type AuditWriter } from './audit-log';
