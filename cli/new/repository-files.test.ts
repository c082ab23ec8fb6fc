import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryRoot, trackedFiles } from '../../test/structure/repository-files.ts'
import { repositoryFiles } from './repository-files.ts'

const read = (file: string): string => readFileSync(`${repositoryRoot}${file}`, 'utf8')
const pinsOf = (text: string): readonly string[] => text.match(/[\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+/g) ?? []

test('the workflow of a project pins the same commits of actions as ours', () => {
  const workflow = repositoryFiles()['.github/workflows/ci.yaml'] ?? ''
  const ours = trackedFiles('.github/workflows/*.yaml').flatMap(file => pinsOf(read(file)))
  const pins = pinsOf(workflow)
  expect(pins).toHaveLength(workflow.match(/uses:/g)?.length ?? 0)
  expect(pins.filter(pin => !ours.includes(pin))).toEqual([])
})

test.each(['powerdns', 'infrastructure', 'worker', 'extension'])(
  'the sample project %s has the files of a new project',
  sample => {
    for (const [file, text] of Object.entries(repositoryFiles()))
      expect(read(`examples/authors/${sample}/${file}`), file).toBe(text)
  },
)
