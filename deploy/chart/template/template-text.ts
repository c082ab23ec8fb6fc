import { blockText, isBlock, scalarText } from './placeholder.ts'
import type { Templated, When } from './templated.ts'

/** The Go template expressions of conditions. */
export interface TemplateConditions {
  /** Tests if an item is enabled: `has "…" $on`. */
  readonly ofItem: (item: string) => string
  readonly ofSwitch: (name: string) => string
}

/**
 * Writes objects as template documents: YAML with actions on separate lines. Several parts with the same condition
 * share one action, and no document is empty.
 */
export const templateText = (objects: readonly Templated[], conditions: TemplateConditions): string =>
  inRows(objects, ({ when }) => conditionOf(when, undefined, conditions))
    .flatMap(({ condition, row }) => {
      const lines = row.flatMap(object => [
        '---',
        ...linesOf(object, { ...conditions, indent: 0, isText: false, within: object.when }),
      ])
      return condition === undefined ? lines : [`{{- if ${condition} }}`, ...lines, '{{- end }}']
    })
    .join('\n')

interface Row<T> {
  readonly condition: string | undefined
  readonly row: readonly T[]
}

const inRows = <T>(all: readonly T[], conditionOfOne: (one: T) => string | undefined): readonly Row<T>[] => {
  const rows: { readonly condition: string | undefined; readonly row: T[] }[] = []
  for (const one of all) {
    const condition = conditionOfOne(one)
    const last = rows.at(-1)
    if (last !== undefined && last.condition === condition) last.row.push(one)
    else rows.push({ condition, row: [one] })
  }
  return rows
}

interface Place extends TemplateConditions {
  readonly indent: number
  /** True if all scalars are strings, as in annotations, labels and variables. */
  readonly isText: boolean
  /** The condition of the enclosing part, which is not repeated. */
  readonly within: When
}

const texts = new Set(['annotations', 'labels', 'matchLabels', 'attributes', 'exact', 'value'])

const linesOf = (node: Templated, place: Place): readonly string[] => {
  const pad = ' '.repeat(place.indent)
  switch (node.kind) {
    case 'scalar':
      return [`${pad}${scalarText(node.value, place.isText)}`]
    case 'words':
      return [`${pad}${wordsText(node, place)}`]
    case 'map':
      return node.entries.flatMap(([key, value]) => {
        const lines = isBlock(key) ? blockLines(blockText(key), place) : entryLines(key, value, place)
        return underCondition(lines, value.when, place)
      })
    case 'list': {
      const blockOf = node.items.map(blockOfItem).find(text => text !== undefined)
      return node.items.flatMap(item => {
        const text = blockOfItem(item)
        if (text !== undefined) return underCondition(blockLines(text, place), item.when, place)
        const { lines, replaced } = itemLines(item, place)
        const unless = blockOf?.includes('$env') ? replaced : undefined
        return underCondition(lines, item.when, place, unless)
      })
    }
  }
}

const entryLines = (key: string, value: Templated, place: Place): readonly string[] => {
  const pad = ' '.repeat(place.indent)
  const name = /^[\w./-]+$/.test(key) ? key : JSON.stringify(key)
  const inner = {
    ...place,
    indent: place.indent + 2,
    isText: place.isText || texts.has(key),
    within: value.when,
  }
  if (value.kind === 'scalar' || value.kind === 'words')
    return [`${pad}${name}: ${linesOf(value, { ...inner, indent: 0 })[0]}`]
  const words = value.kind === 'list' ? inOneLine(value.items, value.when) : undefined
  if (words !== undefined) return [`${pad}${name}: [${words.join(', ')}]`]
  const lines = linesOf(value, inner)
  const empty = value.kind === 'list' ? '[]' : '{}'
  return lines.length === 0 ? [`${pad}${name}: ${empty}`] : [`${pad}${name}:`, ...lines]
}

/** Formats the scalars of a list without conditions. */
const inOneLine = (items: readonly Templated[], within: When): readonly string[] | undefined => {
  const words = items.flatMap(item =>
    item.kind === 'scalar' &&
    blockOfItem(item) === undefined &&
    item.when.items?.join() === within.items?.join() &&
    item.when.on.join() === within.on.join()
      ? [scalarText(item.value, false)]
      : [],
  )
  return words.length === items.length ? words : undefined
}

interface ItemLines {
  readonly lines: readonly string[]
  /** The condition under which another item replaces this one: an operator's variable of the same name. */
  readonly replaced?: string
}

const itemLines = (item: Templated, place: Place): ItemLines => {
  const pad = ' '.repeat(place.indent)
  const lines = linesOf(item, { ...place, indent: place.indent + 2, within: item.when })
  const [first = '', ...others] = lines
  if (first.trimStart().startsWith('{{-'))
    throw new Error('an item of a list begins with what is always there')
  const name = item.kind === 'map' ? item.entries.find(([key]) => key === 'name')?.[1] : undefined
  return {
    lines: [`${pad}- ${first.trimStart()}`, ...others],
    ...(name?.kind === 'scalar' && { replaced: `hasKey $env ${JSON.stringify(name.value)}` }),
  }
}

/** An item with a block as its scalar represents several items; the block replaces all of it. */
const blockOfItem = (item: Templated): string | undefined => {
  switch (item.kind) {
    case 'scalar':
      return typeof item.value === 'string' && isBlock(item.value) ? blockText(item.value) : undefined
    case 'map':
      return item.entries.map(([, value]) => blockOfItem(value)).find(text => text !== undefined)
    case 'list':
    case 'words':
      return undefined
  }
}

const blockLines = (text: string, { indent }: Place): readonly string[] => [
  `{{- with ${text} }}`,
  `{{ . | trim | indent ${indent} }}`,
  '{{- end }}',
]

const wordsText = ({ words }: Extract<Templated, { kind: 'words' }>, place: Place): string => {
  const terms = words.map(({ word, when }) => {
    const condition = conditionOf(when, place.within, place)
    return condition === undefined
      ? JSON.stringify(word)
      : `(ternary ${JSON.stringify(word)} "" (${condition}))`
  })
  return `{{ list ${terms.join(' ')} | compact | join "," | quote }}`
}

const underCondition = (
  lines: readonly string[],
  when: When,
  place: Place,
  unless?: string,
): readonly string[] => {
  const condition = conditionOf(when, place.within, place)
  const both = [
    ...(condition === undefined ? [] : [condition]),
    ...(unless === undefined ? [] : [`not (${unless})`]),
  ]
  const [only = '', ...more] = both
  if (both.length === 0) return lines
  const text = more.length === 0 ? only : `and ${both.map(one => `(${one})`).join(' ')}`
  return [`{{- if ${text} }}`, ...lines, '{{- end }}']
}

/** Returns the condition of a part without what the enclosing condition already ensures. */
const conditionOf = (
  { items, on }: When,
  within: When | undefined,
  { ofItem, ofSwitch }: TemplateConditions,
): string | undefined => {
  const isSame = items?.join() === within?.items?.join()
  const any = items === undefined || isSame ? [] : [anyOf(items.map(ofItem))]
  const terms = [...any, ...on.filter(name => !within?.on.includes(name)).map(ofSwitch)]
  const [only, ...more] = terms
  return more.length === 0 ? only : `and ${terms.map(one => `(${one})`).join(' ')}`
}

const anyOf = (terms: readonly string[]): string => {
  const [only = '', ...more] = terms
  return more.length === 0 ? only : `or ${terms.map(one => `(${one})`).join(' ')}`
}
