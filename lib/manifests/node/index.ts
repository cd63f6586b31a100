export { hashPin, PinStore, type Pin } from './pin-store';
export { SnapshotStore, type StoredSnapshot } from './snapshot-store';
