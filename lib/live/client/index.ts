export { LiveProvider } from './live-provider';
export { useLive, useLiveSince, useLiveStatus } from './use-live';
