import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Stored, withoutParts } from './parts.ts'

/** The path of a reduced recording (test/recorded/README.md). */
export const storedPath = (file: string): string => join(import.meta.dirname, 'reduced', file)

/** Reads a reduced recording, for example `worker/minimal.json`. */
export const readStored = (file: string): unknown =>
  withoutParts(JSON.parse(readFileSync(storedPath(file), 'utf8')) as Stored)
