import type { Timestamp } from '../../../shared/clock/clock.ts'
import { printable } from '../../../shared/text/printable.ts'
import { causesIn } from '../advice.ts'
import { clockText, durationText } from '../time-text.ts'
import { asRecorded, type NextStep, type NodeError, type NodeState, type TreeNode } from '../tree.ts'

export const marks = {
  ok: '✓',
  gone: '✝',
  unknown: '?',
  working: '▶',
  waiting: '…',
  failed: '✗',
} as const satisfies Readonly<Record<NodeState, string>>

const colorCodes = {
  ok: 32,
  gone: 90,
  unknown: 90,
  working: 36,
  waiting: 33,
  failed: 31,
} as const satisfies Readonly<Record<NodeState, number>>

/** Colours a text by a state. */
export type PaintState = (text: string, state: NodeState) => string

export const painted: PaintState = (text, state) => `\u001b[${colorCodes[state]}m${text}\u001b[0m`
export const unpainted: PaintState = text => text

/** Formats a tree for readers, with the reason, the next step and the error of each node below it. */
export const treeAsText = (tree: TreeNode, now: Timestamp, paint: PaintState): string =>
  linesOf(tree, now, paint)
    .map(line => `${line.trimEnd()}\n`)
    .join('')

/** @param recorded the time of the record, for a resource in the cloud: that of the object that names it */
const linesOf = (
  node: TreeNode,
  now: Timestamp,
  paint: PaintState,
  recorded?: Timestamp,
): readonly string[] => {
  const { children } = node
  const isOfCloud = node.kind === 'cloud resource'
  const shown =
    isOfCloud && recorded !== undefined && node.detail === asRecorded ? { ...node, since: recorded } : node
  const below = isOfCloud ? recorded : node.since
  const details = detailsOf(node, now)
  return [
    headOf(shown, now, paint),
    ...details.map(line => `${children.length > 0 ? '│' : ' '}   ${line}`),
    ...children.flatMap((child, index) => {
      const isLast = index === children.length - 1
      const [head = '', ...rest] = linesOf(child, now, paint, below)
      return [`${isLast ? '└' : '├'}─ ${head}`, ...rest.map(line => `${isLast ? ' ' : '│'}  ${line}`)]
    }),
  ]
}

export const headOf = (
  { state, title, detail, since }: TreeNode,
  now: Timestamp,
  paint: PaintState,
): string => {
  const age = since === undefined ? undefined : `${durationText(now - since)} ago`
  const facts = [detail === undefined ? undefined : printable(detail), age].filter(
    part => part !== undefined && part !== '',
  )
  return `${paint(marks[state], state)} ${printable(title)}${facts.length === 0 ? '' : `  ${facts.join(', ')}`}`
}

/** Before a command that a reader copies. */
export const runMark = 'run: '

/** Returns the lines about why, what next and what failed. */
export const detailsOf = (
  { why, next, error, run }: { readonly [K in 'why' | 'next' | 'error' | 'run']?: TreeNode[K] | undefined },
  now: Timestamp,
): readonly string[] => [
  ...(why === undefined ? [] : [`why: ${printable(why)}`]),
  ...(error === undefined ? [] : errorLines(error, now)),
  ...(run === undefined ? [] : [`${runMark}${printable(run)}`]),
  ...(next === undefined ? [] : [`next: ${nextAsText(next, now)}`]),
]

/** `retry 3 of reconcile at 12:03:10Z, in 8 s`. */
export const nextAsText = ({ what, at }: NextStep, now: Timestamp): string => {
  if (at === undefined) return printable(what)
  return at <= now
    ? `${printable(what)}, now`
    : `${printable(what)} at ${clockText(at, now)}, in ${durationText(at - now)}`
}

const errorLines = ({ text, codes, since, fix }: NodeError, now: Timestamp): readonly string[] => {
  const named = codes.length === 0 ? '' : `${codes.join(', ')}: `
  const age = since === undefined ? '' : ` (since ${clockText(since, now)}, ${durationText(now - since)})`
  const [first = '', ...others] = causesIn(text)
  return [
    `error${age}: ${printable(`${named}${first}`)}`,
    ...others.map(cause => `  and: ${printable(cause)}`),
    ...(fix === undefined ? [] : [`fix: ${printable(fix)}`]),
  ]
}
