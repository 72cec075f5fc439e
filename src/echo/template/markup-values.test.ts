import { describe, expect, test } from 'vitest'
import type { TextFormat } from '../formats.ts'
import { createTemplateCompiler } from './compile-template.ts'

type Partials = Readonly<Record<string, string>>

function fill(format: TextFormat, text: string, params: object, partials: Partials = {}): string {
  return [...createTemplateCompiler(format, partials).compile(text).fill(params)].join('')
}

function mistakeIn(format: TextFormat, text: string, partials: Partials = {}): string {
  try {
    createTemplateCompiler(format, partials).compile(text)
    return 'none'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const markups = ['html', 'svg', 'xml'] as const
const blocked = 'about:invalid#blocked'
const pixel = 'data:image/png;base64,iVBORw0KGgo='

/** Addresses that run something, as they get past those who look for a word. */
const running = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' \u0001javascript:alert(1)',
  'java\tscript\n:alert(1)',
  'java\u0000script:alert(1)',
  '\u00a0\ufeff\u200bjavascript:alert(1)',
  'javascript\u00ad:alert(1)',
  'javascript://host/%0aalert(1)',
  'vbscript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'blob:https://a/b',
  'file:///etc/passwd',
  ':x',
]

const harmless = [
  'https://a.example/b?c=d:e#f',
  'HTTP://a.example',
  'mailto:a@b.example',
  'tel:+4930',
  '/a:b',
  'a/b:c',
  '?a=b:c',
  '#a:b',
  'a b',
  '',
]

describe.each(markups)('R15: in %s', (format) => {
  const whole = (text: string) => `<r>${text}</r>`

  test.each([
    '<a href="{{a}}">x</a>',
    "<a xlink:href='{{a}}'/>",
    '<img src="{{a}}"/>',
    '<form action="{{a}}"/>',
  ])('the address in %s runs nothing', (element) => {
    const [before = '', after = ''] = whole(element).split('{{a}}')
    const filled = (a: string) => fill(format, whole(element), { a }).slice(before.length, -after.length)
    for (const address of running) expect([address, filled(address)]).toEqual([address, blocked])
    for (const address of harmless) {
      expect(filled(address).replaceAll('&#61;', '=')).toBe(address)
    }
  })

  test.each([
    '<button formaction="{{a}}"/>',
    '<object data="{{a}}"/>',
    '<video poster="{{a}}"/>',
    '<img srcset="/a.png 1x, {{a}} 2x"/>',
    '<animate attributeName="href" values="#a;{{a}}"/>',
    '<set to="{{a}}"/>',
    '<a href=" {{a}}"/>',
    '<a {{#if b}}id="x"{{/if}} href="{{a}}"/>',
    '<a href="{{#if b}}/x{{else}}{{a}}{{/if}}"/>',
    '<a href="{{#each list}}{{this}}{{/each}}{{a}}"/>',
  ])('and so in %s', (element) => {
    for (const a of running) expect(fill(format, whole(element), { a })).toContain(blocked)
  })

  test('an address in pieces runs nothing, and its path is as it was sent', () => {
    const text = whole('<a href="{{a}}{{b}}">x</a>')
    expect(fill(format, text, { a: 'javascript', b: ':alert(1)' })).toContain(`"javascript${blocked}"`)
    expect(fill(format, whole('<a href="https://a.example/{{a}}">x</a>'), { a: 'b:c' })).toContain('/b:c"')
    expect(
      fill(format, whole('<a href="{{a}}/{{b}}">x</a>'), { a: 'https://a.example', b: 'b:c' }),
    ).toContain('/b:c"')
  })

  test('a picture may be in its address, where it is shown and nowhere else', () => {
    expect(fill(format, whole('<img src="{{a}}"/>'), { a: pixel })).toBe(
      whole(`<img src="${format === 'html' ? pixel.replace('=', '&#61;') : pixel}"/>`),
    )
    expect(fill(format, whole('<a href="{{a}}"/>'), { a: pixel })).toBe(whole(`<a href="${blocked}"/>`))
    expect(fill(format, whole('<img src="data:image/png;base64,{{a}}"/>'), { a: 'AA' })).toContain(
      'base64,AA"',
    )
  })

  test('what was made for a script stays inside an attribute', () => {
    const a = { b: `"' onload=alert(1)` }
    for (const quote of ['"', "'"]) {
      const filled = fill(format, whole(`<p title=${quote}{{json a}}${quote}/>`), { a })
      const inside = filled.slice(
        whole('<p title="').length - '</r>'.length,
        -whole('"/>').length + '<r>'.length,
      )
      expect(inside).not.toMatch(/["']/)
    }
  })

  test('a style takes values, and no more', () => {
    const styled = (a: string) => fill(format, whole('<p style="color: {{a}}">x</p>'), { a })
    for (const a of ['#a0b1c2', '12.5%', 'rgb(1, 2, 3)', '-3px 4em', 'Noto Sans, größe']) {
      expect(styled(a)).toBe(whole(`<p style="color: ${a}">x</p>`))
    }
    for (const a of [
      'red;background:url(//x)',
      'url(x)',
      'expression(alert(1))',
      '/* ',
      '"',
      'a:b',
      '\\75 rl',
    ]) {
      expect(styled(a)).toBe(whole('<p style="color: ">x</p>'))
    }
  })

  test('JSON stands in the code of a script', () => {
    const value = `</script><!--'"\u2028${'`'}\${}`
    const text = whole(
      `<script>// it's\n/* " */ var t = "\\"//", n = 4 / 2; var a = {{json a}}, b = [{{#each list}}{{json this}},{{/each}}]; f({{{json a}}})</script>`,
    )
    const filled = fill(format, text, { a: value, list: [value, { b: value }] })
    const [, code = ''] = /<script>([\s\S]*)<\/script>/.exec(filled) ?? []
    const run = new Function('f', `${code}; return [a, b]`)
    expect(run((a: unknown) => a)).toEqual([value, [value, { b: value }]])
    expect(filled.match(/<\/script/g)).toHaveLength(1)
  })

  const inScript =
    'line 1: a value in a script has to be {{json value}}, outside of texts, comments and patterns; otherwise put it in an attribute of its own, such as data-value="{{value}}", and let a script read that'
  const inStyle =
    'line 1: a value cannot stand in <style>: put it in the attribute style of an element, as in style="color: {{value}}"'
  const asName =
    'line 1: a value cannot be a name of an element or an attribute, or a part of one: write the names, and choose between them with {{#if}}'
  const inBlock = 'line 1: a tag, a comment or a script that is opened in a block has to be closed in it'

  test.each([
    ['<script>var x={{a}}</script>', inScript],
    ['<script type="module">var x={{{a}}}</script>', inScript],
    ['<script>var x="{{json a}}"</script>', inScript],
    ["<script>var x='{{json a}}'</script>", inScript],
    ['<script>var x=`{{json a}}`</script>', inScript],
    ['<script>// {{json a}}</script>', inScript],
    ['<script>/* {{json a}} */</script>', inScript],
    ['<script>x = /[{{json a}}]/</script>', inScript],
    ['<script>if (x) /"/.test(y); z = {{json a}} + "</script>', inScript],
    ['<script>{{#if a}}"{{/if}}{{json a}}</script>', inScript],
    ['<s:script>{{a}}</s:script>', inScript],
    [
      '<a onclick="f({{json a}})">',
      /^line 1: a value cannot stand in onclick, which is a script: put it in an attribute/,
    ],
    ["<svg onload='{{a}}'/>", /^line 1: a value cannot stand in onload, which is a script/],
    [
      '<a href="javascript:f({{a}})">',
      /^line 1: a value cannot stand in an address that starts with javascript:/,
    ],
    [
      '<a href="java&#115;cript&#x3A;f({{a}})">',
      /^line 1: a value cannot stand in an address that starts with javascript:/,
    ],
    ['<a href="data:text/html,{{a}}">', /^line 1: a value cannot stand in an address that starts with data:/],
    ['<a href="{{a}}:{{b}}">', /^line 1: a value cannot be the scheme of an address/],
    ['<script src="{{a}}"/>', 'line 1: a value cannot stand in src of <script>: write what stands there'],
    [
      '<iframe srcdoc="{{a}}"/>',
      'line 1: a value cannot stand in srcdoc of <iframe>: write what stands there',
    ],
    ['<base href="{{a}}"/>', 'line 1: a value cannot stand in href of <base>: write what stands there'],
    [
      '<p style="background:url({{a}})"/>',
      'line 1: a value cannot be an address in a style: put it in src of an <img>',
    ],
    ['<a href={{a}}>', 'line 1: the value of an attribute stands between quotes: href="{{value}}"'],
    ['<a title=x{{a}}>', 'line 1: the value of an attribute stands between quotes: title="{{value}}"'],
    ['<a {{a}}="x">', asName],
    ['<a data-{{a}}="x">', asName],
    ['<{{a}}>', asName],
    ['</{{a}}>', asName],
    [
      '<?pi {{a}}?>',
      'line 1: a value cannot stand in a declaration or an instruction, between <! or <? and >',
    ],
    ['<a title="{{{a}}}">', 'line 1: a value between quotes is always escaped: write two braces'],
    ['{{#if a}}<script>{{/if}}x', inBlock],
    ['{{#if a}}<a {{else}}<b {{/if}}>', inBlock],
    ['<a {{#if a}}on{{/if}}click="{{b}}">', /the name of the attribute depends on a block/],
    [
      '<script>{{> part}}</script>',
      /^line 1: a partial with values, or with another of its name, cannot stand in a tag, a script or a style/,
    ],
    [
      '<a {{> part}}>',
      /^line 1: a partial with values, or with another of its name, cannot stand in a tag, a script or a style/,
    ],
    [
      '{{#*inline "own"}}<script>{{/inline}}',
      'line 1: a tag, a comment or a script is opened and not closed',
    ],
    ['<script>', 'a tag, a comment or a script is opened and not closed'],
  ] as const)('%s is refused', (text, mistake) => {
    expect(mistakeIn(format, text, { part: '{{a}}' })).toMatch(
      mistake instanceof RegExp ? mistake : plain(mistake),
    )
  })

  test('a style sheet has no values, and may be a partial', () => {
    const svg = 'xmlns="http://www.w3.org/2000/svg"'
    expect(mistakeIn(format, `<svg ${svg}><style>a{color: {{a}} }</style></svg>`)).toBe(inStyle)
    expect(
      fill(format, '<r><style>{{> css}}</style>{{a}}</r>', { a: '<' }, { css: 'a > b {}{{! c }}' }),
    ).toBe('<r><style>a > b {}</style>&lt;</r>')
  })

  test('a partial of a template does not put values where a style sheet is', () => {
    const partials = { css: 'a {}', page: '<style>{{> css}}</style>' }
    expect(mistakeIn(format, '{{#*inline "css"}}{{a}}{{/inline}}{{> page}}', partials)).toBe(
      'line 1: there is a partial "css" without values: choose another name for one with values',
    )
    expect(
      mistakeIn(format, '{{#if a}}{{#*inline "part"}}x{{/inline}}{{/if}}<script>{{> part}}</script>', {
        part: '{{a}}',
      }),
    ).toMatch(/a partial with values, or with another of its name, cannot stand/)
    expect(
      mistakeIn(format, '{{#*inline "own"}}x{{/inline}}<script>{{> own}}</script>{{> page}}', partials),
    ).toBe('none')
  })

  test.each([
    '<!-- <script> {{a}} --><p title="it\'s {{a}}" class=\'b "{{a}}\'>{{a}}</p>',
    '<p {{#if a}}class="x {{a}}"{{/if}} {{#if b}}hidden="hidden"{{/if}}>{{a}}</p>',
    '<option{{#if a}} selected="selected"{{/if}}>{{a}}</option>',
    '<p title="{{#if b}}b{{else}}{{a}}{{/if}}" data-a=\'{{json a}}\'>1 < 2 {{a}}</p>',
    '{{#each list}}<p id="{{@index}}">{{this}}</p>{{/each}}<script>var a = "<p onclick=x>"</script><i>{{a}}</i>',
  ])('%s is taken', (text) => {
    expect(mistakeIn(format, text)).toBe('none')
    expect(fill(format, text, { a: `<"'&`, list: ['<'] })).not.toMatch(/<["']|"'&/)
  })
})

test('R15: what makes scripts and styles is only in pages', () => {
  expect(
    fill('xml', '<order online="{{a}}" onhand="{{a}}"><Style>{{a}}</Style><style>{{a}}</style></order>', {
      a: 1,
    }),
  ).toBe('<order online="1" onhand="1"><Style>1</Style><style>1</style></order>')
  expect(mistakeIn('html', '<title>{{a}} < {{b}}</title><iframe><a {{a}}></iframe><!--><p>{{a}}</p>')).toBe(
    'none',
  )
  expect(mistakeIn('html', '<meta name="description" content="{{a}}"><meta charset="utf-8">')).toBe('none')
  expect(mistakeIn('html', '<!--><script>{{a}}</script>-->')).toMatch(/a value in a script/)
  expect(mistakeIn('html', '<!-- --!><script>{{a}}</script>-->')).toMatch(/a value in a script/)
  expect(mistakeIn('xml', '<?a > <!-- ?><script>{{a}}</script>')).toMatch(/a value in a script/)
  expect(mistakeIn('html', '<script><!-- <script> </script>{{a}}')).toMatch(/both <!-- and <script/)
  expect(mistakeIn('html', '<title><a href="{{a}}"></title>')).toMatch(/write &lt; for < in <title>/)
  expect(mistakeIn('html', '<![CDATA[ > <script>{{a}}</script>]]>')).toMatch(/HTML has no CDATA with >/)
  expect(mistakeIn('html', '<svg><text><![CDATA[ < & ]]></text></svg>{{a}}')).toBe('none')
  for (const meta of [
    'http-equiv="refresh" content="0;url={{a}}"',
    'content="0;url={{a}}" http-equiv="refresh"',
  ]) {
    expect(mistakeIn('html', `<meta ${meta}><p></p>`)).toMatch(/a value cannot stand in content of <meta>/)
  }
})

test('R15: a link in Markdown runs nothing', () => {
  const filled = (a: string) => fill('md', '[x]({{a}}) [y](</b/{{a}}>)\n[z]: {{a}}', { a })
  expect(filled('javascript:alert(1)')).toBe(
    '[x](about\\:invalid\\#blocked) [y](</b/javascript\\:alert\\(1\\)>)\n[z]: about\\:invalid\\#blocked',
  )
  expect(filled('https://a.example/b')).toMatch(/^\[x]\(https\\:\/\/a\\\.example\/b\) /)
})

function plain(text: string): RegExp {
  return new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)
}
