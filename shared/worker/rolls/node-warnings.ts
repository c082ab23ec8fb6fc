import { cutText } from '../../text/cut-text.ts'
import type { HashCause } from '../rollout/hash-causes.ts'
import type { NodeChange, NodeCount } from './node-changes.ts'

/** More pools are counted. An API server passes on 4,096 characters of all warnings. */
const mostLines = 10
const mostCauses = 2
const mostCharacters = 40

/**
 * Returns the changes as warnings, one per line.
 *
 * @example ['rolls 3 to 12 nodes of pool a: root volume: type changed from gp2 to gp3']
 */
export const nodeWarnings = (changes: readonly NodeChange[]): readonly string[] => {
  const shown = changes.slice(0, mostLines).map(warningOf)
  const more = changes.length - shown.length
  return more > 0 ? [...shown, `affects the nodes of ${more} more pools`] : shown
}

const warningOf = (change: NodeChange): string => {
  const count = countOf(change.nodes)
  if (change.kind === 'hibernated') return `deletes ${count} without a drain: hibernation is enabled`
  const pool = `pool ${nameOf(change.pool)}`
  if (change.kind === 'removed') return `deletes ${count}: ${pool} is removed`
  const of = `${count} of ${pool}`
  const why = causesOf(change.causes)
  switch (change.kind) {
    case 'replaced':
      return `rolls ${of}: ${why}`
    case 'updated in place':
      return `updates ${of} in place: ${why}`
    case 'updated in place manually':
      return `updates ${of} in place once they are selected: ${why}`
  }
}

const countOf = ({ least, most }: NodeCount): string => {
  const range = least === most ? String(most) : least === 0 ? `up to ${most}` : `${least} to ${most}`
  return `${range} ${most === 1 ? 'node' : 'nodes'}`
}

const causesOf = (causes: readonly HashCause[]): string => {
  if (causes.length === 0) return 'the order of its volumes or interfaces changed'
  const shown = causes.slice(0, mostCauses).map(causeOf)
  const more = causes.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more ${more === 1 ? 'change' : 'changes'}`] : [])].join(', ')
}

/** Events, whose values mean nothing to a reader. */
const events: Readonly<Record<string, string>> = {
  'rotation of the certificate authorities': 'rotation of the certificate authorities',
  'rotation of the service account key': 'rotation of the service account key',
  'node-local DNS': 'node-local DNS or the mode of kube-proxy changed',
  'rollout-workers': 'a rollout is requested',
}

const causeOf = ({ name, from, to }: HashCause): string => {
  const event = events[name]
  if (event !== undefined) return event
  const what = cutText(name, 2 * mostCharacters)
  if (from === undefined && to === undefined) return `${what} changed`
  if (to === undefined) return `${what} removed (was ${textOf(from)})`
  return from === undefined
    ? `${what} set to ${textOf(to)}`
    : `${what} changed from ${textOf(from)} to ${textOf(to)}`
}

const textOf = (value: string | undefined): string =>
  cutText(value === '' ? '""' : String(value), mostCharacters)

/** A name that is not a Kubernetes name is quoted. */
const nameOf = (name: string): string =>
  /^[\w.-]+$/.test(name) ? cutText(name, mostCharacters) : JSON.stringify(cutText(name, mostCharacters))
