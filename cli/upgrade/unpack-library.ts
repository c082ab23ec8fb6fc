import { createReadStream, rmSync } from 'node:fs'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { type FoundVersion, howToGet, installed, packageIn, programIn, tooOld } from './library-package.ts'

/**
 * Unpacks a library that `npm pack` has written into a temporary folder. It runs with the packages of this version.
 * Throws a `UsageError` if the file is no such library, or needs other packages.
 *
 * @param where the flag and its value, for errors
 */
export const unpackLibrary = async (file: string, where: string): Promise<FoundVersion> => {
  const root = await mkdtemp(join(tmpdir(), 'trellis-version-'))
  const remove = () => rmSync(root, { recursive: true, force: true })
  try {
    await unpack(file, root).catch((error: unknown) => {
      throw new UsageError(
        `${where}: not a packed library: ${messageOf(error)}. Pack one with "npm pack", or give a folder`,
      )
    })
    const { version = 'unknown', dependencies = {} } = packageIn(root) ?? {}
    const program = programIn(root)
    if (program === undefined) throw new UsageError(`${where}: ${tooOld(version)}`)
    for (const [name, wanted] of Object.entries(dependencies)) {
      if (!/^(?:@[a-z0-9-][\w.-]*\/)?[a-z0-9-][\w.-]*$/.test(name))
        throw new UsageError(`${where}: a dependency has no valid name`)
      const here = installed(name, import.meta.filename)
      if (here?.version !== wanted)
        throw new UsageError(
          `${where}: it needs ${name} ${wanted}, and this version has ${here?.version ?? 'none'}. ${howToGet(version)}`,
        )
      const link = join(root, 'node_modules', name)
      await mkdir(dirname(link), { recursive: true })
      await symlink(here.folder, link)
    }
    return { title: `${version} in ${file}`, program, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** npm packs all files below `package/`. Links and files elsewhere are left out. */
const unpack = async (file: string, root: string): Promise<void> => {
  const files = extract()
  const read = pipeline(createReadStream(file), createGunzip(), files)
  // Its error also ends the loop.
  read.catch(() => {})
  let count = 0
  for await (const entry of files) {
    const { name, type } = entry.header
    const [first, ...rest] = name.split('/')
    const content = await buffer(entry)
    if (type !== 'file' || first !== 'package' || rest.length === 0 || rest.includes('..')) continue
    const path = join(root, ...rest)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    count += 1
  }
  await read
  if (count === 0) throw new Error('it has no folder "package"')
}
