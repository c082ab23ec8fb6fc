import { rm } from 'node:fs/promises'
import { findPrograms } from './programs.ts'
import { writeBundles } from './write-bundles.ts'

// Writes each program to dist/bundles: node build/images/bundle/main.ts
const folder = 'dist/bundles'

await rm(folder, { recursive: true, force: true })
for await (const { name, files } of writeBundles(await findPrograms(), folder)) {
  const sizes = files.map(({ file, bytes }) => `${file} ${Math.round(bytes / 1024)} KiB`)
  console.log(`${name.padEnd(36)} ${sizes.join(', ')}`)
}
