import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startedFolder } from './bundle/write-bundles.ts'
import { buildArgs, buildEnv, snapshotArgs } from './bundle/write-snapshot.ts'
import { imageUser, programFolder } from './layout/make-image.ts'
import { readBase } from './layout/read-base.ts'

const dockerfile = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8')

test('the Dockerfile builds the same image as the layout: base, snapshot, user, folder, command', async () => {
  const list = (args: readonly string[]) => args.map(arg => JSON.stringify(arg)).join(', ')
  const node = (args: readonly string[]) => `[${list(['/nodejs/bin/node', ...args])}]`
  const environment = Object.entries(buildEnv)
    .map(([name, value]) => `ENV ${name}=${value}\n`)
    .join('')
  for (const text of [
    `ARG BASE=${await readBase()}\n`,
    `WORKDIR ${programFolder}\n${environment}RUN ["/nodejs/bin/node", "-e", `,
    `['.', ...require('node:fs').globSync('${startedFolder}/*')]`,
    `"--", ${list(buildArgs)}]\n`,
    `USER ${imageUser}:${imageUser}\nWORKDIR ${programFolder}\nENTRYPOINT ${node(snapshotArgs(programFolder))}\n`,
  ])
    expect(dockerfile).toContain(text)
})
