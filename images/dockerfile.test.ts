import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileCacheVariables, primingScript } from './layout/compile-cache.ts'
import { imageUser, programFolder } from './layout/make-image.ts'
import { readBase } from './layout/read-base.ts'
import { nodeFlagsOf } from './node-flags.ts'

const dockerfile = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8')

test('the Dockerfile makes what the layout has: base, cache, variables, user, folder, command', async () => {
  const variables = Object.entries(compileCacheVariables(programFolder)).map(
    ([name, value]) => `${name}=${value}`,
  )
  const flags = nodeFlagsOf('aws-dnsrecord')
    .map(flag => JSON.stringify(flag))
    .join(', ')
  for (const text of [
    `ARG BASE=${await readBase()}\n`,
    `${flags}, "--predictable", "--eval", ${JSON.stringify(primingScript(programFolder))}]`,
    `ENV ${variables.join(' ')}\nUSER ${imageUser}:${imageUser}\nWORKDIR ${programFolder}\n`,
    `ENTRYPOINT ["/nodejs/bin/node", ${flags}, "${programFolder}/main.cjs"]`,
  ])
    expect(dockerfile).toContain(text)
})
