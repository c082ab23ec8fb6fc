import { expect, test } from 'vitest'
import { readExports } from '../../docs/read-exports.ts'
import { importsOfLibrary } from './imports-of-library.ts'
import { readTemplates } from './read-template.ts'

const exported = new Map(
  (await readExports()).map(({ name, exports }) => [name, new Set(exports.map(one => one.name))]),
)

test.each(Object.entries(await readTemplates()))(
  'the library exports each name that a new function of kind %s imports',
  (_, files) => {
    const sources = Object.entries(files).filter(([name]) => name.endsWith('.ts'))
    const imported = sources.flatMap(([, text]) => {
      // Shared files of templates are copied beside the function.
      const beside = text.replaceAll(/'\.\.\/\w+\/(\w+\.ts)'/g, "'./$1'")
      return [...importsOfLibrary(beside).matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
        ([, list = '', from = '']) =>
          list
            .split(',')
            .map(name => name.trim().replace(/^type /, ''))
            .filter(name => name !== '')
            .map(name => ({ from, name })),
      )
    })
    const ofLibrary = imported.filter(({ from }) => exported.has(from))
    expect(ofLibrary.length).toBeGreaterThan(2)
    expect(ofLibrary.filter(({ from, name }) => !exported.get(from)?.has(name))).toEqual([])
  },
)
