export { PinStore, type Pin } from './pin-store';
export { SnapshotStore } from './snapshot-store';
