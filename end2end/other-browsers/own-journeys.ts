// The pages of everybody: the way in, one's tasks, what is one's own, and help.

import { block, changeable, statuses } from '../support/people';
import { change } from '../support/queue';
import { completed, turnTo, type Here, type Journey } from './journey';
import { any, box, button, field, heading, link, menu, notice } from './tab';

/** Has the program status of a person changed by a task, and says which. */
async function aTask({ request }: Here, hundred: number): Promise<string> {
  const [, , , few] = await statuses(request, block(hundred));
  return change(request, await changeable(request, block(hundred), few!.name, 1), few!.name);
}

export const ownJourneys: Journey[] = [
  {
    page: '/tasks',
    does: 'the list of one’s tasks is narrowed to those that are done',
    async go(here) {
      const { tab } = here;
      const id = await aTask(here, 3);
      await turnTo(tab, /^My tasks/, 'My tasks');
      await tab.click({ ...link(/^Done/), css: '[aria-label=State] a' });
      await tab.isAt(/^\/tasks\?show=done$/);
      await tab.sees(any(`tr[data-task-id="${id}"]`));
    },
  },
  {
    page: '/tasks/{id}',
    does: 'what a task did is looked at, and undone',
    async go(here) {
      const { tab } = here;
      const id = await aTask(here, 4);
      await turnTo(tab, /^My tasks/, 'My tasks');
      await tab.click(any(`tr[data-task-id="${id}"] a[href^="/tasks/"]`));
      await tab.arrives(/.+/);
      await completed(tab);
      await tab.click({ ...link(/^Done/), css: '[aria-label=Outcome] a' });
      await tab.isAt(/outcome=DONE/);
      await tab.says(any('table tbody tr'), 'Done');
      await tab.click(link('Undo…'));
      await tab.sees(heading(/^Undo/));
      await tab.click(button('Restore 1 person'));
      await completed(tab);
      await tab.says(any('main'), 'Original task');
    },
  },
  {
    page: '/go',
    does: 'a press on “Go to” opens the list, and what is typed finds a page',
    async go({ tab }) {
      await turnTo(tab, 'Settings', 'Settings');
      await tab.click({ ...link(/^Go to/), css: '.topbar a' });
      await tab.sees(any('#go[open] [role=option]'));
      await tab.write('audit trail');
      await tab.says(any('#go [role=option][aria-selected=true]'), 'Audit trail');
      await tab.key('Escape');
      await tab.seesNone(any('#go[open]'));
      await tab.click({ ...link(/^Go to/), css: '.topbar a' });
      await tab.sees(any('#go[open] [role=option]'));
      await tab.write('my tasks');
      await tab.click({ ...link('My tasks'), css: '#go [role=option]' });
      await tab.arrives('My tasks');
    },
  },
  {
    page: '/help',
    does: 'help is searched',
    async go({ tab }) {
      await turnTo(tab, 'Help and shortcuts', 'Help and shortcuts');
      await tab.type(any('main input[type=search]'), 'undo task');
      await tab.key('Enter');
      await tab.sees(heading(/^Found for “undo task”/));
      await tab.sees(link(/Undo a task/));
    },
  },
  {
    page: '/help/{topic}',
    does: 'a page leads to the help of its job, and that to others',
    async go({ tab }) {
      await turnTo(tab, 'People', 'People');
      await tab.click(button('What does a program status mean?'));
      await tab.says(any('[role=note]'), 'Program status');
      await tab.key('Escape');
      await tab.seesNone(any('[role=note]'));
      await tab.click(link('Help with this page'));
      await tab.arrives('Find people · Help', 'Find people');
      await tab.click({ ...link('Select people'), css: '[aria-labelledby=h-related] a' });
      await tab.arrives('Select people · Help', 'Select people');
    },
  },
  {
    page: '/settings',
    does: 'the page turns dark when it is chosen, and back',
    async go({ tab }) {
      await turnTo(tab, 'Settings', 'Settings');
      for (const [theme, scheme] of [['Dark', 'dark'], ['Light', 'light']] as const) {
        await tab.click(box(theme));
        await tab.is(box(theme), { checked: true });
        await tab.click(button('Save preferences'));
        await tab.sees(notice(/Saved/));
        await tab.is(any('html'), { attributes: { 'data-theme': scheme } });
      }
    },
  },
  {
    page: '/login',
    does: 'one signs out, is told of a wrong password, and signs in',
    async go({ tab, docket }) {
      await tab.click(menu(/your account$/));
      await tab.click(button('Sign out'));
      await tab.arrives('Sign in');
      await tab.type(field('Username'), 'admin');
      await tab.type(field('Password'), 'not the password');
      await tab.click(button('Sign in'));
      await tab.says(notice(), 'Username or password is wrong');
      await tab.is(field('Username'), { value: 'admin' });
      await tab.type(field('Password'), docket.passwords.admin);
      await tab.click(button('Sign in'));
      await tab.arrives('People');
    },
  },
];
