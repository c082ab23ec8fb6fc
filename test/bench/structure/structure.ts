import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOfRecordEvent } from '../../paths/dns-record.ts'
import { isOnThePath } from '../../paths/ran-files.ts'
import { brokenFaces, flatFolders, readRooms } from '../../structure/rooms.ts'
import { circlesOf, sourceImports } from '../../structure/source-imports.ts'
import { atMost, type Benchmark, type Figure, type Reference } from '../figure.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The value of the same measure before the rooms had faces. */
const openHouse = (value: number): Reference => ({
  name: 'before the rooms had faces',
  value,
  source: {
    measured: 'elsewhere',
    where: 'this repository at the commit before “Speak the field’s words in every name”',
  },
})

/** Measures how far a reader has to go, and the obstacles. */
export const structure: Benchmark = {
  name: 'structure',
  run: async () => {
    const ran = await filesOfRecordEvent()
    const way = ran.filter(isOnThePath)
    const shared = way.filter(file => file.startsWith('shared/'))
    const { files, imports } = sourceImports(root)
    return [
      {
        name: 'files to open for a DNSRecord event',
        value: way.length,
        unit: 'files',
        target: atMost(20),
        reference: openHouse(44),
        with: 'in which a function runs between request and answer, up to the ports and the contract',
      },
      {
        name: 'files in shared to open for a DNSRecord event',
        value: shared.length,
        unit: 'files',
        reference: openHouse(31),
      },
      { name: 'their lines', value: linesOf(way), unit: 'lines', reference: openHouse(3716) },
      {
        name: 'files that run for a DNSRecord event, including code behind ports',
        value: ran.length,
        unit: 'files',
        reference: openHouse(77),
      },
      {
        name: 'import cycles, including types',
        value: circlesOf({ files, imports }).length,
        unit: 'circles',
        target: atMost(0),
        reference: openHouse(11),
      },
      {
        name: 'imports past the face of a room',
        value: brokenFaces(readRooms(root), imports).length,
        unit: 'imports',
        target: atMost(0),
      },
      { name: 'folders with more than a dozen sources', value: flatFolders(files).length, unit: 'folders' },
      ...linesOfRooms(files),
    ]
  },
}

/** Lines of each top-level folder before the rooms had faces, without tests and their support. */
const linesBefore: Readonly<Record<string, number>> = {
  shared: 10_360,
  bridge: 4_706,
  functions: 1_551,
  'terraform-free-infra': 10_572,
  cli: 3_881,
  sandbox: 31_835,
}

const linesOfRooms = (files: readonly string[]): readonly Figure[] =>
  Object.entries(linesBefore).map(([folder, before]) => ({
    name: `lines of ${folder}`,
    value: linesOf(
      files.filter(file => file.startsWith(`${folder}/`) && !/\.test\.ts$|\/testing\//.test(file)),
    ),
    unit: 'lines',
    reference: openHouse(before),
  }))

const linesOf = (files: readonly string[]): number =>
  files.reduce((lines, file) => lines + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
