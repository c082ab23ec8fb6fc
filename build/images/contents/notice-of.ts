import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../project/package-root.ts'

/** Licenses that allow a copy with their text. */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']

/** `known`: packages whose license Trellis may pass on. `any`: the author of a project decides. */
export type Licenses = 'known' | 'any'

/** Returns a file of notices for installed packages, by their folders. Throws like `noticeOf`. */
export const noticesOf = async (
  about: string,
  folders: readonly string[],
  licenses: Licenses = 'known',
): Promise<string> => {
  const notices = await Promise.all(folders.map(folder => noticeOf(folder, licenses)))
  return ['# Third parties', about, ...notices].join('\n\n')
}

/**
 * Returns the notice of an installed package: name, version, license and its text. With `known`, throws if the license
 * does not allow a copy, or if the package names no copyright holder.
 */
export const noticeOf = async (folder: string, licenses: Licenses = 'known'): Promise<string> => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const {
    name,
    version,
    license = 'no licence',
  } = manifest as Readonly<Record<'name' | 'version' | 'license', string>>
  if (licenses === 'known' && !allowed.includes(license))
    throw new Error(`cannot copy ${name} ${version}: its licence is ${license}`)
  const text =
    (await fileOf(folder, '{LICENSE,LICENCE,License,license}*')) ??
    (await licenceByReadme(folder, license)) ??
    (await knownText(license)) ??
    (licenses === 'any' ? 'The package contains no licence text.' : undefined)
  if (text === undefined) throw new Error(`cannot copy ${name} ${version}: it has no licence text`)
  // The Apache license requires to include these (section 4 d).
  const notice = await fileOf(folder, 'NOTICE*')
  const texts = [text, ...(notice === undefined ? [] : [notice])].map(indented)
  return `## ${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}

const fileOf = async (folder: string, names: string): Promise<string | undefined> => {
  for await (const name of glob(names, { cwd: folder })) return readFile(join(folder, name), 'utf8')
  return undefined
}

/**
 * For packages without a license text. Apache's is always the same, and this project has it. The Unlicense requires no
 * text.
 */
const knownText = async (license: string): Promise<string | undefined> => {
  if (license === 'Unlicense') return 'Given to the public domain: https://unlicense.org'
  return license === 'Apache-2.0' ? readFile(join(packageRoot(), 'LICENSE'), 'utf8') : undefined
}

/** Some packages have their copyright only in the README, with a link to the license. */
const licenceByReadme = async (folder: string, license: string): Promise<string | undefined> => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8').catch(() => '')
  const copyright = /^copyright .*$/im.exec(readme)?.[0]
  return license === 'MIT' && copyright !== undefined ? `${copyright}\n\n${mitPermission}` : undefined
}

const indented = (text: string): string => text.trim().replaceAll(/^(?=.)/gm, '    ')

/** https://spdx.org/licenses/MIT.html */
const mitPermission = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
