// The pages about people: the list, one person, and what is done to many.
import { block, inProse, reachable, statuses } from '../support/people';
import { act, completed, names, search, select, turnTo, type Journey } from './journey';
import { any, box, button, field, heading, link, menu, notice, within } from './tab';

export const peopleJourneys: Journey[] = [
  {
    page: '/people',
    does: 'the list is narrowed in a menu that stays open, and a tick selects',
    async go({ tab }) {
      await turnTo(tab, 'People', 'People');
      await tab.click(menu(/^Status/));
      for (const name of ['Inactive', 'No-show']) {
        await tab.click(box(name));
        await tab.is(box(name), { checked: true });
      }
      await tab.click(button('Apply'));
      await tab.says(any('.chip'), 'Status: Inactive or No-show');
      await tab.seesNone(box('Inactive'));
      await select(tab, await names(tab, 2));
    },
  },
  {
    page: '/people/ids',
    does: 'people are selected by their school IDs, and the unknown are named',
    async go({ tab }) {
      await turnTo(tab, 'People', 'People');
      await tab.click(link('Select by school ID…'));
      await tab.arrives('Select people by school ID');
      await tab.type(field(/^School IDs/), `${block(12)}01, ${block(12)}02 nobody-1`);
      await tab.click(button('Find people'));
      await tab.says(notice(/school ID not found/), 'nobody-1');
      await tab.click(link('Continue with these people'));
      await tab.arrives('People');
      await tab.says(any('[aria-label="Actions for the selected people"] [role=status]'), '2 selected');
    },
  },
  {
    page: '/people/{id}',
    does: 'a person is watched from their own page, and not any more',
    async go({ tab }) {
      await search(tab, block(13));
      const [name] = await names(tab, 1);
      await tab.click(link(name));
      await tab.arrives(inProse(name!));
      await tab.sees(heading('Timeline'));
      await tab.click(button('Watch'));
      await tab.sees(button('Stop watching'));
      await tab.arrives(inProse(name!));
      await tab.click(button('Stop watching'));
      await tab.sees(button('Watch'));
    },
  },
  {
    page: '/people/{id}/erase',
    does: 'a person is erased once their school ID is typed',
    async go({ tab }) {
      const id = `${block(17)}05`;
      await search(tab, id);
      const [name] = await names(tab, 1);
      await tab.click(link(name));
      await tab.arrives(inProse(name!));
      await tab.click(link('Erase…'));
      await tab.arrives(`Erase ${inProse(name!)}`);
      await tab.type(field(/^Type the school ID/), id);
      await tab.type(field('Reason'), 'Asked for by letter');
      await tab.click(button('Erase this person'));
      await tab.arrives('People');
      await search(tab, id);
      await tab.sees(heading('No people match'));
    },
  },
  {
    page: '/actions/new/{kind}',
    does: 'a program status is chosen, checked, confirmed and set',
    async go({ tab, request }) {
      const [, , , few] = await statuses(request, block(2));
      await search(tab, block(2));
      await select(tab, await names(tab, 3));
      await act(tab, 'Set program status…');
      await tab.arrives('Set program status');
      await tab.click(box(few!.label));
      await tab.is(box(few!.label), { checked: true });
      await tab.click(button('Check first'));
      await tab.arrives('Check', /.+/);
      await tab.sees(heading('What will happen'));
      await tab.click(button(/^Set \d+ (person|people) to /));
      await completed(tab);
      await tab.says(any('[aria-label=Outcome]'), /All ?3/);
    },
  },
  {
    page: '/actions/new/email',
    does: 'an email is written beside how a person gets it, checked, held and cancelled',
    async go({ tab, request }) {
      const people = (await reachable(request, block(1))).with.slice(0, 2);
      await search(tab, block(1));
      await select(tab, people.map(({ name }) => name));
      await act(tab, 'Email…');
      await tab.arrives('Email 2 people');
      await tab.type(field('Subject'), 'Four slots for {first name}');
      await tab.pick(field('Person whose email is shown'), people[1]!.name);
      await tab.says(any('[data-letter-subject]'), `Four slots for ${people[1]!.name.split(', ')[1]!.split(' ')[0]}`);
      await tab.says(any('[data-draft-state]'), /^Draft saved \d/);
      await tab.click(button('Check 2 people'));
      await tab.arrives('Check', /.+/);
      await tab.type(field('Type 2 to confirm'), '2');
      // There is no mail server.
      await tab.click(button(/^Submit anyway: /));
      await tab.sees(heading(/^Fails in/));
      await tab.click(button('Cancel email'));
      await tab.says(any('header .title .badge'), 'Cancelled');
    },
  },
  {
    page: '/people/reassign',
    does: 'a list gives a person another coach',
    async go({ tab, file }) {
      await tab.key('Control+k');
      await tab.sees(any('#go[open] [role=option]'));
      await tab.write('reassign coaches by');
      await tab.click({ ...link('Reassign coaches by list…'), css: '#go [role=option]' });
      await tab.arrives('Reassign coaches by list');
      await tab.hold(file('spring.csv'), `School ID,Coach\n${block(16)}01,manager\n`);
      await tab.click(button('Check what will happen'));
      await tab.arrives('Check', 'Reassign coaches by spring.csv');
      await tab.sees(within('table', 'will move to the coach in the list', any('th, td')));
      await tab.click(button('Reassign 1 person'));
      await completed(tab);
    },
  },
  {
    page: '/admin/import',
    does: 'a file whose columns are apart by bars is told of, and another one is taken',
    async go({ tab, file }) {
      await turnTo(tab, 'Import people', 'Import people');
      await tab.hold(file('summer.csv'), 'id|name|status\nIMP-1|Zweig|Active\n');
      await tab.click(button('Continue'));
      await tab.says(any('.problem'), 'The columns of this file are separated by bars.');
      await tab.arrives('Import people');
      await tab.hold(file('autumn.csv'), 'id,name,status\nIMP-1,Zweig,Active\n');
      await tab.click(button('Continue'));
      await tab.arrives('Import autumn.csv', 'Import people');
      await tab.click(button('Cancel and delete the file'));
      await tab.arrives('Import people');
    },
  },
  {
    page: '/admin/import/{id}',
    does: 'columns are matched, what would happen is counted, and that happens',
    async go({ tab, file }) {
      await turnTo(tab, 'Import people', 'Import people');
      await tab.hold(file('fall.csv'), 'Student_No,Surname,Forename,Whereabouts\nPRE-1,Abara,Chidinma,Elsewhere\n');
      await tab.click(button('Continue'));
      await tab.arrives('Import fall.csv', 'Import people');
      await tab.pick(field('Docket field for Whereabouts'), 'Home campus');
      await tab.says(any('main'), 'Your choice');
      await tab.arrives('Import fall.csv', 'Import people');
      await tab.says(within('table', 'new person', any('tr')), /1 ?new person/);
      await tab.click(button('Import 1 person'));
      await completed(tab);
    },
  },
];

