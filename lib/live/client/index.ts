export { LiveProvider } from './live-provider';
export { useLive, useLiveStatus } from './use-live';
