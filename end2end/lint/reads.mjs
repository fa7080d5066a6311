// A page may still be on its way to what is expected of it, so what is read of it is read again until it fits: within
// `expect.poll(…)` or `expect(…).toPass()`. Whatever else reads says why that is right: `// at once: reason` before the statement.

/** What Playwright reads once, without waiting for what it is to be. */
const READS = new Set([
  ...['all', 'allInnerTexts', 'allTextContents', 'ariaSnapshot', 'boundingBox', 'content', 'count', 'evaluate', 'evaluateAll'],
  ...['getAttribute', 'innerHTML', 'innerText', 'inputValue', 'textContent', 'title'],
  ...['isChecked', 'isDisabled', 'isEditable', 'isEnabled', 'isHidden', 'isVisible'],
]);

/** What runs its function in the page, where names like those above are the browser's. */
const IN_PAGE = new Set(['addInitScript', 'evaluate', 'evaluateAll', 'evaluateHandle', 'waitForFunction']);

const called = (node) => (node.callee.type === 'MemberExpression' && !node.callee.computed ? node.callee.property.name : undefined);

const isFunction = (node) => /^(Arrow)?Function/.test(node.type);

const isStatement = (node) => /Statement$|^VariableDeclaration$|^PropertyDefinition$/.test(node.type);

const isExpect = (node) =>
  node.type === 'MemberExpression' ? isExpect(node.object) : node.type === 'Identifier' && node.name === 'expect';

/** The nodes around this one, from the inside out, and itself. */
function* around(node) {
  for (let at = node; at; at = at.parent) yield at;
}

/** The call that has this as its first argument. */
const givenTo = (node) => (node.parent.type === 'CallExpression' && node.parent.arguments[0] === node ? node.parent : undefined);

/** Whether a function is called until what it finds is right. */
function isRepeated(node) {
  const call = givenTo(node);
  if (!call || !isExpect(call.callee)) return false;
  return called(call) === 'poll' || (call.parent.type === 'MemberExpression' && call.parent.property.name === 'toPass');
}

const runsInPage = (node) => node.parent.type === 'CallExpression' && node.parent.callee !== node && IN_PAGE.has(called(node.parent));

function isUsed(node) {
  const awaited = node.parent.type === 'AwaitExpression' ? node.parent : node;
  return awaited.parent.type !== 'ExpressionStatement';
}

/** An address is fine anywhere but where something is expected of it. */
function isExpected(node) {
  return [...around(node)].some((at) => {
    const call = at.parent && givenTo(at);
    return call && isExpect(call.callee) && called(call) !== 'poll';
  });
}

function isRead(node) {
  const name = called(node);
  if (name === 'url') return isExpected(node);
  return READS.has(name) && isUsed(node) && node.callee.object.name !== 'Promise';
}

const rule = {
  meta: {
    messages: {
      once: '`{{name}}` reads the page once: use what waits by itself, expect.poll or toPass, or say why in a comment `// at once: …`',
    },
    schema: [{ type: 'object', properties: { readers: { type: 'array', items: { type: 'string' } } } }],
  },
  create(context) {
    const source = context.sourceCode;
    /** Exported functions that read; whoever calls them waits. */
    const readers = new Set(context.options[0]?.readers);
    const found = [];
    const seen = new Set();

    /** The variables that stand for a function. */
    function variablesOf(node) {
      const declared = node.parent.type === 'VariableDeclarator' ? node.parent : node;
      return declared.id?.type === 'Identifier' ? source.getDeclaredVariables(declared).filter(({ name }) => name === declared.id.name) : [];
    }

    const uses = (variable) => variable.references.filter((reference) => !reference.init).map(({ identifier }) => identifier);

    function hasReason(node) {
      for (const at of around(node)) {
        if (source.getCommentsBefore(at).some(({ value }) => /^\s*at once: \S/.test(value))) return true;
        if (at.type.startsWith('Export') || (isStatement(at) && !at.parent.type.startsWith('Export'))) return false;
        if (isFunction(at) && at.body.type === 'BlockStatement') return false;
      }
      return false;
    }

    function look(node, name) {
      if (seen.has(node) || hasReason(node)) return;
      seen.add(node);
      for (const at of around(node)) {
        if (at.parent && (isRepeated(at) || (isFunction(at) && runsInPage(at)))) return;
        if (!isFunction(at)) continue;
        const [variable] = variablesOf(at);
        if (!variable) continue;
        if (uses(variable).some(runsInPage)) return;
        const declaration = at.parent.type === 'VariableDeclarator' ? at.parent.parent : at;
        if (!declaration.parent.type.startsWith('Export')) return uses(variable).forEach((use) => look(use, use.name));
        if (readers.has(variable.name)) return;
      }
      context.report({ node, messageId: 'once', data: { name } });
    }

    return {
      CallExpression(node) {
        if (isRead(node)) found.push([node, called(node)]);
      },
      ImportSpecifier(node) {
        if (!readers.has(node.imported.name)) return;
        for (const variable of source.getDeclaredVariables(node)) found.push(...uses(variable).map((use) => [use, use.name]));
      },
      'Program:exit'() {
        for (const [node, name] of found) look(node, name);
      },
    };
  },
};

export default { meta: { name: 'docket' }, rules: { 'reads-wait': rule } };
