import type { Unit } from '../../contract/objects.ts'
import { pathWord, unitWord } from './shell-text.ts'
import { type FileContent, writeContent } from './write-file.ts'

const folder = '/etc/systemd/system'

/** Returns script lines that write units and their drop-ins, in order (docs/contract/small-kinds.md#script-parts). */
export const writeUnits = (units: readonly Unit[]): string => units.map(writeUnit).join('')

const writeUnit = ({ name, content, dropIns = [] }: Unit): string => {
  const path = `${folder}/${name}`
  return [
    content === undefined ? '' : `\n${writeContent(path, encoded(content))}`,
    dropIns.length === 0 ? '' : `\nmkdir -p ${pathWord(`${path}.d`)}`,
    ...dropIns.map(dropIn => `\n${writeContent(`${path}.d/${dropIn.name}`, encoded(dropIn.content))}`),
  ].join('')
}

const encoded = (text: string): FileContent => ({ kind: 'encoded', bytes: Buffer.from(text) })

/** Enables and starts every unit, whatever its own settings. */
export const startUnits = (units: readonly Unit[]): string =>
  units
    .map(({ name }) => unitWord(name))
    .map(word => `systemctl enable ${word} && systemctl restart --no-block ${word}\n`)
    .join('')
