import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { loadManifests, readMessage, routesOf, type TriggerRoute } from '../../sandbox/knative/knative.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { eventJson, eventMessage, parseEventJson } from '../../shared/events/events.ts'
import { recordLives } from './record-lives.ts'
import { recordRun } from './record-run.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const names = readdirSync(folder)
  .filter(file => file.endsWith('.json'))
  .map(file => file.replace(/\.json$/, ''))
const saved = (name: string): unknown => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8'))

/**
 * Replaces the cloud's ids with `vpc-1` and so on, in order of appearance. The AWS simulator assigns ids in the order
 * of calls, and a step creates independent resources concurrently.
 */
const withNumberedIds = (event: unknown): unknown => {
  const numbered = new Map<string, string>()
  const numberOf = (id: string, prefix: string): string => {
    const name = numbered.get(id) ?? `${prefix}-${numbered.size + 1}`
    numbered.set(id, name)
    return name
  }
  return JSON.parse(JSON.stringify(event).replaceAll(/\b([a-z]+)-[0-9a-f]{17}\b/g, numberOf))
}

const functions = (await findFunctions()).map(({ name }) => name)

/** Files have the name of the function, or of the kind for AWS functions. */
const functionOf = (name: string): string =>
  functions.find(known => name.replace(/-[a-z]+$/, '') === known) ?? `aws-${name.replace(/-.*/, '')}`

describe('each saved event', () => {
  let routes: readonly TriggerRoute[] = []
  beforeAll(async () => {
    const manifests = await loadManifests([fileURLToPath(new URL('../../knative/base', import.meta.url))])
    routes = routesOf(manifests).get('trellis/default') ?? []
  })

  test.each(names)('%s is a valid event of this system, unchanged', name => {
    expect(eventJson(parseEventJson(saved(name)))).toEqual(saved(name))
  })

  test.each(names)('%s matches only the Trigger of its function', name => {
    const { attributes } = readMessage(eventMessage(parseEventJson(saved(name))))
    expect(routes.filter(route => route.filter(attributes)).map(route => route.name)).toEqual([
      `trellis/${functionOf(name)}`,
    ])
  })
})

describe('a new run', () => {
  let run: ReadonlyMap<string, ExtensionEvent> = new Map()
  beforeAll(async () => {
    run = new Map([...(await recordRun()), ...(await recordLives())])
    // About twenty lives run one after the other.
  })

  test('has an event for every operation', () => {
    expect(new Set([...run.values()].map(event => event.operation))).toEqual(
      new Set(['reconcile', 'delete', 'migrate', 'restore', 'continue']),
    )
    expect(new Set([...run.values()].map(event => event.reason))).toEqual(
      new Set(['annotation', 'deletion', 'retry', 'due']),
    )
  })

  test('sends the saved events', () => {
    expect(names).toEqual(expect.arrayContaining([...run.keys()]))
    for (const [name, event] of run)
      expect(withNumberedIds(eventJson(event)), name).toEqual(withNumberedIds(saved(name)))
  })
})
