import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knativeVersion } from './cluster.ts'

const root = join(import.meta.dirname, '../..')

test('a dry run prints each command and each step, and starts nothing', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['test/kind/main.ts', '--dry-run'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  const name = /kind create cluster --name (\S+)/.exec(stdout)?.[1] ?? ''
  expect(stdout).toContain(`$ kind delete cluster --name ${name}\n`)
  expect(stdout).toContain(`$ docker rm --force --volumes ${name}-registry\n`)
  expect(stdout.match(/^ {2}\$ \w+/gm)?.map(line => line.slice(4))).toEqual([
    ...['git', 'docker', 'kind', 'kubectl'],
    ...['docker', 'docker', 'kind', 'docker', 'docker', 'docker', 'docker'],
    ...Array.from({ length: 7 }, () => 'kubectl'),
    ...['node', 'node', 'kubectl', 'kubectl', 'node', 'kubectl', 'kubectl', 'kubectl', 'kubectl'],
    ...['kind', 'docker'],
  ])
  expect(stdout).toContain('\nit is deleted, and nothing of it is left\n')
})

test('it installs the version of Knative that the page names', () => {
  expect(readFileSync(join(root, 'docs/installing.md'), 'utf8')).toContain(`version=${knativeVersion}\n`)
})

test('without the programs it says which one is missing, and makes nothing', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['test/kind/main.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  })
  expect(status).toBe(1)
  expect(stderr).toBe('e2e: git is not on the PATH\n')
  expect(stdout).toBe('  $ git describe --always --dirty\n')
})
