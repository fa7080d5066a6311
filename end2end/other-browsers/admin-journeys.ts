// The pages of administrators.
import { once } from 'node:events';

import { failedOnce } from '../support/admin';
import { becomes } from '../support/queue';
import { because, completed, turnTo, type Journey } from './journey';
import { any, box, button, field, heading, link, menu, notice, within } from './tab';

const row = (id: string): string => `tr[data-task-id="${id}"]`;

export const adminJourneys: Journey[] = [
  {
    page: '/admin',
    does: 'the overview says what failed, and a figure leads to what it counts',
    async go({ tab, request }) {
      await failedOnce(request, 1);
      await turnTo(tab, 'Queue', /Queue( \(\d+\))?/, 'Queue');
      await tab.says(any('[aria-labelledby=h-att]'), /failed in the last hour/);
      await tab.click(link(/^Failed in 1.h$/));
      await tab.arrives('All tasks');
      await tab.says(any('.chip'), 'Ended: ');
    },
  },
  {
    page: '/admin/tasks',
    does: 'a column is shown from a menu that stays open',
    async go({ tab, request }) {
      const [id] = await failedOnce(request, 1);
      await turnTo(tab, 'All tasks', 'All tasks');
      await tab.sees(any(row(id!)));
      await tab.click(menu(/^Columns/));
      const { checked } = await tab.firstOf(box('Attempt'));
      await tab.click(box('Attempt'));
      await tab.is(box('Attempt'), { checked: !checked });
      await tab.click(within('form', 'Attempt', button('Apply')));
      const head = { ...any('thead th'), words: 'Attempt' };
      await (checked ? tab.seesNone(head) : tab.sees(head));
    },
  },
  {
    page: '/admin/tasks/check',
    does: 'tasks are selected, looked at once more, and retried',
    async go({ tab, request }) {
      const ids = await failedOnce(request, 2);
      await turnTo(tab, 'All tasks', 'All tasks');
      for (const id of ids) {
        await tab.click(any(`${row(id)} input[type=checkbox]`));
        await tab.is(any(`${row(id)} input[type=checkbox]`), { checked: true });
      }
      await tab.click(button('Retry…'));
      await tab.arrives('Retry tasks', 'Retry 2 tasks?');
      await because(tab, 'Both are fixed', 'Retry 2 tasks');
      await tab.says(notice(), '2 tasks retried');
      for (const id of ids) await becomes(request, id, /^COMPLETED$/);
    },
  },
  {
    page: '/admin/tasks/{id}',
    does: 'a failed task is found and retried, and its page follows it to its end',
    async go({ tab, request }) {
      const [id] = await failedOnce(request, 1);
      await turnTo(tab, 'All tasks', 'All tasks');
      await tab.click(any(`${row(id!)} a[href^="/admin/tasks/"]`));
      await tab.arrives('Self-test · Queue', 'Self-test');
      await tab.says(any('main'), 'asked to fail for good');
      await because(tab, 'The server was fixed', 'Retry');
      await tab.says(notice(), 'The task is retried');
      await completed(tab);
    },
  },
  {
    page: '/admin/failures',
    does: 'a cause is opened, with its error',
    async go({ tab, request }) {
      await failedOnce(request, 1);
      await turnTo(tab, 'Failures', 'Failures');
      await tab.click(any('table [href*="cause="]'));
      await tab.click(any('.disclosure > summary'));
      await tab.says(any('[aria-label="Error text"]'), 'asked to fail for good');
    },
  },
  {
    page: '/admin/processes',
    does: 'a process says what it has to do, and leads to it',
    async go({ tab }) {
      await turnTo(tab, 'Processes', 'Processes');
      await tab.click(link(/^\d+ of \d+ busy$/));
      await tab.arrives('All tasks');
    },
  },
  {
    page: '/admin/kinds/{kind}',
    does: 'a kind of task is paused and resumed',
    async go({ tab }) {
      await turnTo(tab, 'Processes', 'Processes');
      await tab.click(link('Pause… Self-test'));
      await tab.arrives('Self-test');
      await because(tab, 'The disk is full', 'Pause this kind');
      await tab.says(notice(), 'Self-test tasks are paused');
      await tab.arrives('Processes');
      await tab.click(link('Resume… Self-test'));
      await tab.arrives('Self-test');
      await because(tab, 'There is room again', 'Resume this kind');
      await tab.says(notice(), 'Self-test tasks are resumed');
    },
  },
  {
    page: '/admin/schedules',
    does: 'the schedules say when they run',
    async go({ tab }) {
      await turnTo(tab, 'Schedules', 'Schedules');
      await tab.says(any('tr[data-schedule=prune-unused]'), 'Deletes expired selections and previews');
      await tab.click(link('Counts what was done, for the charts'));
      await tab.arrives('Counts what was done, for the charts');
    },
  },
  {
    page: '/admin/schedules/{name}',
    does: 'a schedule is run now',
    async go({ tab }) {
      await turnTo(tab, 'Schedules', 'Schedules');
      await tab.click(link('Run or pause: Deletes expired selections and previews'));
      await tab.arrives('Deletes expired selections and previews');
      await because(tab, 'Not to wait', 'Run now');
      await tab.says(notice(), 'It will run within seconds');
    },
  },
  {
    page: '/admin/locks',
    does: 'a lock is shown while a command holds it',
    async go({ tab, docket }) {
      const holder = docket.command(['lock', 'hold', 'southern-import', '--for', '1h']);
      try {
        await turnTo(tab, 'Locks', 'Locks');
        await tab.says(any('tr[data-lock=southern-import]'), 'Held');
      } finally {
        holder.kill('SIGINT');
        await once(holder, 'exit');
      }
      await tab.says(any('tr[data-lock=southern-import]'), 'Free');
    },
  },
  {
    page: '/admin/locks/release',
    does: 'a lock is taken from a command that holds it',
    async go({ tab, docket }) {
      const holder = docket.command(['lock', 'hold', 'northern-import', '--for', '1h']);
      try {
        await turnTo(tab, 'Locks', 'Locks');
        await tab.click(link('Release the lock northern-import'));
        await tab.arrives(/.+/, 'Release “northern-import”?');
        await because(tab, 'It hangs', 'Release the lock');
        await tab.says(notice(), 'The lock is released');
        await tab.says(any('tr[data-lock=northern-import]'), 'Free');
      } finally {
        holder.kill('SIGINT');
        await once(holder, 'exit');
      }
    },
  },
  {
    page: '/admin/audit',
    does: 'the trail is narrowed to sign-ins, and an entry opened',
    async go({ tab }) {
      await turnTo(tab, 'Audit trail', 'Audit trail');
      await tab.pick(field('All actions'), 'Sign-ins');
      await tab.click(button('Apply'));
      await tab.isAt(/action=session\./);
      await tab.sees(any('tbody tr[data-action^="session."]'));
      await tab.seesNone(any('tbody tr[data-action]:not([data-action^="session."])'));
    },
  },
  {
    page: '/admin/users',
    does: 'the list of users leads to one of them',
    async go({ tab }) {
      await turnTo(tab, 'Users', 'Users');
      await tab.click(any('tr[data-user=manager] a'));
      await tab.arrives('Katrin Lund');
    },
  },
  {
    page: '/admin/users/new',
    does: 'an account is added, and its password shown',
    async go({ tab }) {
      await turnTo(tab, 'Users', 'Users');
      await tab.click(link('Add a user'));
      await tab.arrives('Add a user');
      await tab.type(field('Username'), 'nell');
      await tab.type(field('Name'), 'Nell Quist');
      await tab.pick(field('Role'), 'Manager');
      await because(tab, 'Starts today', 'Add the user');
      await tab.says(any('[role=status]'), 'One-time password for Nell Quist (nell)');
    },
  },
  {
    page: '/admin/users/{id}',
    does: 'an account is disabled and enabled again',
    async go({ tab }) {
      await turnTo(tab, 'Users', 'Users');
      await tab.click(any('tr[data-user=coach] a'));
      await tab.sees(heading('Access'));
      await because(tab, 'Left without a word', 'Disable the account');
      await tab.says(notice(), 'The account is disabled');
      await because(tab, 'Came back', 'Enable the account');
      await tab.says(notice(), 'The account is enabled');
    },
  },
  {
    page: '/admin/settings',
    does: 'the settings in effect say where they come from',
    async go({ tab }) {
      await turnTo(tab, 'Settings in effect', 'Settings in effect');
      await tab.says(within('tr', 'mail.hold', any('th, td')), /(60.min|1.h)/);
    },
  },
];
