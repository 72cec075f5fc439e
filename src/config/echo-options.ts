import { bytes, duration, type OptionType, oneOf, path, text, wholeNumber, yesOrNo } from './option-types.ts'
import type { ConfigOf, OptionGroup, OptionTable } from './options.ts'
import { entriesByName, jsonObject, textList } from './part-types.ts'

/** A name of a template or partial. */
const isName = (name: string) => /^[A-Za-z\d][\w.-]{0,60}$/.test(name)

const extension: OptionType<string> = {
  takes: 'a file extension without its dot, such as csv',
  placeholder: 'ENDING',
  parse: (raw) => (/^[a-z\d]{1,10}$/.test(raw) ? raw : undefined),
}

const mediaType: OptionType<string> = {
  takes: 'a media type such as text/calendar; charset=utf-8',
  placeholder: 'TYPE',
  parse: (raw) => (/^[a-z]+\/[\w.+-]+( *; *[\w-]+=[\w.-]+)*$/i.test(raw) ? raw : undefined),
}

const length = String.raw`\d{1,5}(\.\d{1,3})?(mm|cm|in|px)`

/** Sizes of paper, upright: https://www.w3.org/TR/css-page-3/#page-size-prop */
const paperSizes: Readonly<Record<string, readonly [string, string]>> = {
  A3: ['297mm', '420mm'],
  A4: ['210mm', '297mm'],
  A5: ['148mm', '210mm'],
  A6: ['105mm', '148mm'],
  Letter: ['8.5in', '11in'],
  Legal: ['8.5in', '14in'],
  Tabloid: ['11in', '17in'],
}

const pageSize: OptionType<readonly [string, string]> = {
  takes: `${Object.keys(paperSizes).join(', ')}, one of them and “landscape”, or a width and a height such as 100mm 150mm`,
  placeholder: 'SIZE',
  parse: (raw) => {
    const [, name = '', landscape] = /^(\w+)( landscape)?$/.exec(raw) ?? []
    const paper = Object.hasOwn(paperSizes, name) ? paperSizes[name] : undefined
    if (paper !== undefined) return landscape === undefined ? paper : [paper[1], paper[0]]
    const [width = '', height = ''] = new RegExp(`^${length} ${length}$`).test(raw) ? raw.split(' ') : []
    return width === '' ? undefined : [width, height]
  },
}

type FourLengths = readonly [top: string, right: string, bottom: string, left: string]

const pageMargin: OptionType<FourLengths> = {
  takes: 'one to four lengths as CSS writes them, such as 20mm 15mm',
  placeholder: 'LENGTHS',
  parse: (raw) => {
    if (!new RegExp(`^(${length}|0)( (${length}|0)){0,3}$`).test(raw)) return undefined
    const [top = '0', right = top, bottom = top, left = right] = raw.split(' ')
    return [top, right, bottom, left]
  },
}

const scale: OptionType<number> = {
  takes: 'a number from 0.1 to 8',
  placeholder: 'NUMBER',
  parse: (raw) => {
    const number = /^\d(\.\d{1,3})?$/.test(raw) ? Number(raw) : 0
    return number >= 0.1 && number <= 8 ? number : undefined
  },
}

/** The source of a text: keys of a partial, and part of those of a template. */
const sourceOptions = {
  file: { type: path, describe: 'File that holds it, in UTF-8.', example: 'templates/invoice.html' },
  text: { type: text, describe: 'The text itself, in place of a file.', example: 'Dear {{name}},' },
} as const satisfies OptionTable

/** The options of one template: keys under its name. */
export const templateOptions = {
  ...sourceOptions,
  engine: {
    type: oneOf('handlebars', 'plain'),
    default: 'handlebars',
    describe: 'How it is filled: `handlebars`, or `plain` for a text without params.',
    example: 'plain',
  },
  format: {
    type: oneOf('html', 'svg', 'xml', 'json', 'csv', 'md', 'txt'),
    otherwise: 'by `contentType`, otherwise by the extension of `file`',
    describe:
      'What kind of text it is, which decides how values are escaped. `html` and `svg` can also be rendered as pdf, png and jpeg.',
    example: 'csv',
  },
  extension: {
    type: extension,
    otherwise: 'that of the format',
    describe: 'Extension of its text files.',
    example: 'ics',
  },
  contentType: {
    type: mediaType,
    otherwise: 'that of the format',
    describe: 'Content type of its text files.',
    example: 'text/calendar; charset=utf-8',
  },
  outputs: {
    type: textList('an extension such as pdf, or a list of them', (ending) => /^[a-z\d]{1,10}$/.test(ending)),
    otherwise: 'all that can be made from the format',
    describe: 'Extensions that its files may have; the first is that of a file without a name.',
    example: '["pdf"]',
  },
  defaults: {
    type: jsonObject,
    default: '{}',
    describe: 'Values of params that are not sent.',
    example: '{"currency": "EUR"}',
  },
  schema: {
    type: jsonObject,
    describe: 'JSON Schema (draft 2020-12) for the params with the defaults.',
    example: '{"required": ["number"], "properties": {"number": {"type": "integer"}}}',
  },
  pageSize: {
    inFile: 'page.size',
    type: pageSize,
    default: 'A4',
    describe: 'Size of the pages of a pdf.',
    example: 'Letter landscape',
  },
  pageMargin: {
    inFile: 'page.margin',
    type: pageMargin,
    default: '15mm',
    describe: 'Margins of the pages of a pdf. Header and footer are inside them.',
    example: '25mm 15mm',
  },
  pageHeader: {
    inFile: 'page.header',
    type: text,
    describe:
      'Header of each page of a pdf: an html template, in which `{{@page}}` and `{{@pages}}` are numbers.',
    example: '<b>{{title}}</b>',
  },
  pageFooter: {
    inFile: 'page.footer',
    type: text,
    describe: 'Footer of each page of a pdf, like `page.header`.',
    example: '{{@page}} of {{@pages}}',
  },
  imageWidth: {
    inFile: 'image.width',
    type: wholeNumber(1, 20_000),
    default: '1280',
    describe: 'Width of the page of a png or jpeg, in CSS pixels.',
    example: '800',
  },
  imageHeight: {
    inFile: 'image.height',
    type: wholeNumber(1, 20_000),
    otherwise: 'as high as its content',
    describe: 'Height of a png or jpeg, in CSS pixels; content below it is cropped.',
    example: '600',
  },
  imageScale: {
    inFile: 'image.scale',
    type: scale,
    default: '1',
    describe: 'Pixels of a png or jpeg for each CSS pixel.',
    example: '2',
  },
  imageQuality: {
    inFile: 'image.quality',
    type: wholeNumber(1, 100),
    default: '90',
    describe: 'Quality of a jpeg.',
    example: '80',
  },
  imageTransparent: {
    inFile: 'image.transparent',
    type: yesOrNo,
    default: 'false',
    describe: 'Whether a png is transparent where the page has no background; otherwise it is white there.',
    example: 'true',
  },
} as const satisfies OptionTable

/** The configuration of a template. */
export type TemplateConfig = ConfigOf<typeof templateOptions>

/** The options of `/echo`, among those of a web front. */
export const echoOptions = {
  echo_templates: {
    inFile: 'echo.templates',
    type: entriesByName(templateOptions, isName),
    default: '{}',
    describe:
      'Templates of the files that `/echo` makes: under the name of each its keys, for which see the configuration reference.',
    example: '{"ports": {"file": "templates/ports.csv"}}',
  },
  echo_partials: {
    inFile: 'echo.partials',
    type: entriesByName(sourceOptions, isName),
    default: '{}',
    describe: 'Partials that templates share: under the name of each `file` or `text`.',
    example: '{"letterhead": {"file": "templates/letterhead.html"}}',
  },
  echo_reload: {
    inFile: 'echo.reload',
    type: yesOrNo,
    default: 'false',
    describe:
      'Whether templates are read again when their files change, and responses show their errors: for development.',
    example: 'true',
  },
  echo_browser: {
    inFile: 'echo.browser',
    type: path,
    otherwise: 'Chromium or Chrome in the usual places',
    describe: 'Path of the browser that renders pdf, png and jpeg.',
    example: '/usr/bin/chromium',
  },
  echo_sandbox: {
    inFile: 'echo.sandbox',
    type: yesOrNo,
    default: 'true',
    describe:
      'Whether the browser uses the sandbox of the system. Some containers have none; as root it is never used.',
    example: 'false',
  },
  echo_timeout: {
    inFile: 'echo.timeout',
    type: duration('1s', '10m'),
    default: '15s',
    describe: 'How long rendering a file, or one step of filling a template, may take.',
    example: '30s',
  },
  echo_max_pages: {
    inFile: 'echo.maxPages',
    type: wholeNumber(1, 10_000),
    default: '200',
    describe: 'Most pages of a pdf.',
    example: '20',
  },
  echo_max_pixels: {
    inFile: 'echo.maxPixels',
    type: wholeNumber(1, 500_000_000),
    default: '50000000',
    describe: 'Most pixels of a png or jpeg.',
    example: '10000000',
  },
  echo_max_memory: {
    inFile: 'echo.maxMemory',
    type: bytes('256mb', '64gb'),
    default: '2gb',
    describe:
      'Most memory of all processes of the browser together; above it, the page that uses most is aborted. Linux only.',
    example: '1gb',
  },
  echo_parallel: {
    inFile: 'echo.parallel',
    type: wholeNumber(1, 64),
    default: '2',
    describe: 'How many files the browser renders at the same time.',
    example: '4',
  },
  echo_queue: {
    inFile: 'echo.queue',
    type: wholeNumber(0, 10_000),
    default: '100',
    describe: 'How many more files may wait; further ones are refused.',
    example: '20',
  },
} as const satisfies OptionTable

/** The configuration of `/echo`. */
export type EchoConfig = ConfigOf<typeof echoOptions>

/** Only the options of `/echo`, under `front:` in a configuration file. */
export const echoGroup = {
  heading: 'Files from templates',
  part: 'front',
  options: echoOptions,
} as const satisfies OptionGroup
