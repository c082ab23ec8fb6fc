import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { functionService } from '../../shared/runtime/runtime.ts'

const functions = await findFunctions()

const sourcesOf = (file: string): string => {
  const folder = dirname(file)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing/'))
    .map(name => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}

describe('the declared network destinations of a function', () => {
  test.each(functions.map(one => [one.name, one] as const))('%s', (_, { kind, health, file, service }) => {
    const { reaches } = functionService(service)
    const text = sourcesOf(file)
    // A ControlPlane cleans up in its shoot, and the health of a Worker depends on its nodes.
    const opensShoots =
      /\b(?:openShoot|findShoot)\b/.test(text) ||
      kind === 'ControlPlane' ||
      (kind === 'Worker' && health !== undefined)
    const callsCloud = /\b(?:createRequestHandler|connectionOf|overNetwork)\b/.test(text)
    expect(reaches.includes('shoots')).toBe(opensShoots)
    expect(reaches.includes('public-networks')).toBe(callsCloud)
  })
})
