import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { inShell } from './in-shell.ts'

test.each([
  'Infrastructure/shoot--garden--rose/rose',
  '',
  "it's",
  '$(id)',
  '`id`; id & id | id > x #',
  '"\\$HOME\\"',
  'ünï code',
  '~/seed',
])('a shell reads %j as one word', text => {
  const read = execFileSync('/bin/sh', ['-c', `printf '%s|' ${inShell(text)}`], { encoding: 'utf8' })
  expect(read).toBe(`${text}|`)
})
