import { HeartPulse, Inbox, ScrollText, Server, Settings, Workflow, type LucideIcon } from 'lucide-react';

export interface Destination {
  readonly href: string;
  readonly label: string;
  /** What is found there, for the palette. */
  readonly about: string;
  readonly icon: LucideIcon;
  /** Whether it has a place of its own in a phone's bar, which has four and "More". */
  readonly onPhone: boolean;
}

/** The pages of the rail, in order. */
export const DESTINATIONS: readonly Destination[] = [
  { href: '/servers', label: 'Servers', about: 'state, tools and tests', icon: Server, onPhone: true },
  { href: '/runs', label: 'Runs', about: 'what became of the calls of each sign-in and command', icon: Workflow, onPhone: true },
  { href: '/ledger', label: 'Ledger', about: 'every call on record', icon: ScrollText, onPhone: true },
  { href: '/inbox', label: 'Inbox', about: 'changes of the servers’ state', icon: Inbox, onPhone: true },
  { href: '/health', label: 'Health', about: 'how servers stand and stood', icon: HeartPulse, onPhone: false },
  { href: '/settings', label: 'Settings', about: 'people and secrets', icon: Settings, onPhone: false },
];

/** Pages that are reached from others, for the palette. */
export const FURTHER_PAGES: readonly Omit<Destination, 'icon' | 'onPhone'>[] = [
  { href: '/servers/new', label: 'Add a server', about: 'paste a configuration, an address or a command' },
];

/** Whether a path lies at or under a destination. */
export const isWithin = (pathname: string, href: string): boolean => pathname === href || pathname.startsWith(`${href}/`);
