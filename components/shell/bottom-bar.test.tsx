// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { BottomBar } from './bottom-bar';
import { DESTINATIONS } from './destinations';

const router = vi.hoisted(() => ({ push: vi.fn(), pathname: '/servers' }));
vi.mock('next/navigation', () => ({ useRouter: () => router, usePathname: () => router.pathname }));
vi.mock('../inbox/use-unread', () => ({ useUnread: () => 3 }));

afterEach(cleanup);

test('a phone’s bar has five places, and leads to every page of the rail', async () => {
  render(<BottomBar />);
  const places = [...screen.getByRole('navigation', { name: 'Pages' }).children];
  expect(places).toHaveLength(5);
  const own = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  fireEvent.click(screen.getByRole('button', { name: 'More pages' }));
  const further = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  expect(further).toEqual(DESTINATIONS.filter(({ href }) => !own.includes(href)).map(({ label }) => label));
  expect(further).toContain('Settings');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Settings' }));
  expect(router.push).toHaveBeenCalledWith('/settings');
});

test('it says how much of the inbox waits', () => {
  render(<BottomBar />);
  expect(screen.getByRole('link', { name: /^Inbox/ }).textContent).toContain('3 not read');
});
