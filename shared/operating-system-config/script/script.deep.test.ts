import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startUnits, writeUnits } from '../flow.ts'
import { hostileName, hostileText } from '../testing/hostile.ts'
import { rooted, runScript } from '../testing/run-script.ts'
import { once } from './once.ts'
import { delimiterOf } from './shell-text.ts'
import { type ScriptFile, writeFiles } from './write-file.ts'

const clear = (text: string) => ({ kind: 'clear', text }) as const
const encoded = (text: string) => ({ kind: 'encoded', bytes: Buffer.from(text) }) as const

/** Few runs, because each starts a bash. */
const runs = { numRuns: 25 }

describe('the effect of a script in a real bash', () => {
  test('a script writes the bytes of every file, whatever its path and text, and nothing else', () => {
    const file = fc.record({
      folder: hostileName,
      name: hostileName,
      text: hostileText,
      isClear: fc.boolean(),
      permissions: fc.option(fc.integer({ min: 0o400, max: 0o777 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 4 }), given => {
        // A separate folder each, so that no file conflicts with another.
        const paths = given.map(({ folder, name }, index) => `${index}/${folder}/${name}`)
        const { status, stderr, files } = runScript(root =>
          once(
            `#!/bin/bash\n${writeFiles(
              given.map(
                ({ text, isClear, permissions }, index): ScriptFile => ({
                  path: `${root}/${paths[index]}`,
                  content: isClear ? clear(text) : encoded(text),
                  // The owner must be able to read it afterwards.
                  permissions: permissions === undefined ? undefined : permissions | 0o400,
                }),
              ),
            )}\n`,
          ).replaceAll('/var/lib/osc', `${root}/var/lib/osc`),
        )
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
        expect([...files.keys()].toSorted()).toEqual(
          [...paths, 'var/lib/osc/provision-osc-applied'].toSorted(),
        )
        for (const [index, { text, isClear, permissions }] of given.entries()) {
          const found = files.get(paths[index] ?? '')
          expect(found?.bytes.toString(), paths[index]).toBe(isClear ? `${text}\n` : text)
          if (permissions !== undefined) expect(found?.mode).toBe(permissions | 0o400)
        }
      }),
      runs,
    )
  })

  test('units and drop-ins have their names, and systemctl gets these names', () => {
    const unit = fc.record({
      name: hostileName,
      content: fc.option(hostileText, { nil: undefined }),
      dropIns: fc.uniqueArray(fc.record({ name: hostileName, content: hostileText }), {
        maxLength: 2,
        selector: ({ name }) => name,
      }),
    })
    const units = fc
      .uniqueArray(unit, { minLength: 1, maxLength: 3, selector: ({ name }) => name })
      // The folder of a drop-in is not the file of another unit.
      .filter(all => all.every(({ name }) => !all.some(other => other.name === `${name}.d`)))
    fc.assert(
      fc.property(units, given => {
        const all = given.map(({ content, ...rest }) => ({
          ...rest,
          ...(content !== undefined && { content }),
        }))
        const { status, stderr, files, systemctl } = runScript(root =>
          rooted(`#!/bin/bash\n${writeUnits(all)}\n${startUnits(all)}`, root),
        )
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
        const folder = 'etc/systemd/system'
        const expected = all.flatMap(({ name, content, dropIns }) => [
          ...(content === undefined ? [] : [[`${folder}/${name}`, content] as const]),
          ...dropIns.map(dropIn => [`${folder}/${name}.d/${dropIn.name}`, dropIn.content] as const),
        ])
        expect(new Map([...files].map(([path, { bytes }]) => [path, bytes.toString()]))).toEqual(
          new Map(expected),
        )
        expect(systemctl.map(call => call.filter(word => word !== '--'))).toEqual(
          all.flatMap(({ name }) => [
            ['enable', name],
            ['restart', '--no-block', name],
          ]),
        )
        for (const call of systemctl) expect(call.indexOf('--') === -1).toBe(!call.at(-1)?.startsWith('-'))
      }),
      runs,
    )
  })

  test('a path with a leading dash is a file, not an option', () => {
    const { files, stderr } = runScript(() =>
      writeFiles([
        { path: '-x', content: encoded('one'), permissions: 0o600 },
        { path: '--parents/-y', content: clear('two'), permissions: 0o644 },
      ]),
    )
    expect(stderr).toBe('')
    expect([...files].map(([path, { bytes, mode }]) => [path, bytes.toString(), mode])).toEqual(
      expect.arrayContaining([
        ['-x', 'one', 0o600],
        ['--parents/-y', 'two\n', 0o644],
      ]),
    )
  })

  test('bytes that are not text are unchanged', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const { files } = runScript(root =>
      writeFiles([{ path: `${root}/binary`, content: { kind: 'encoded', bytes } }]),
    )
    expect(files.get('binary')?.bytes).toEqual(Buffer.from(bytes))
  })

  test('a script runs once', () => {
    const { files } = runScript(root => {
      const script = rooted(once('#!/bin/bash\necho x >> count\n'), root)
      return `bash -c '${script}'\nbash -c '${script}'`
    })
    expect(files.get('count')?.bytes.toString()).toBe('x\n')
  })
})

describe('the bytes of a script', () => {
  const written = (path: string, text: string) => writeFiles([{ path, content: clear(text) }])

  test('a text without special shell characters has the bytes of Gardener’s script', () => {
    expect(written('/etc/a b/c', `it's "quoted"; <<TOKEN>> & more`)).toBe(
      `\nmkdir -p "/etc/a b"\n\ncat << EOF > "/etc/a b/c"\nit's "quoted"; <<TOKEN>> & more\nEOF`,
    )
  })

  test.each(['$HOME', '`id`', 'a\\b', 'GEOFENCE'])('the text %j has another, quoted delimiter', text => {
    const end = delimiterOf(text)
    expect(text).not.toContain(end)
    expect(written('/etc/c', text)).toBe(`\nmkdir -p "/etc"\n\ncat << '${end}' > "/etc/c"\n${text}\n${end}`)
  })

  test.each([
    ['/etc/$a/b', `'/etc/$a'`, `'/etc/$a/b'`],
    ['/etc/`a`', `"/etc"`, `'/etc/\`a\`'`],
    ['/etc/a\\b', `"/etc"`, `'/etc/a\\b'`],
    [`/etc/it's "a"`, `"/etc"`, `'/etc/it'\\''s "a"'`],
    ['/EOF/b', `'/EOF'`, `'/EOF/b'`],
    ["/it's/b", `"/it's"`, `"/it's/b"`],
  ])('the path %j is in single quotes if needed', (path, folder, word) => {
    const text = writeFiles([{ path, content: encoded('x'), permissions: 0o644 }])
    expect(text).toBe(
      `\nmkdir -p ${folder}\n\ncat << EOF | base64 -d > ${word}\neA==\nEOF\nchmod "0644" ${word}`,
    )
  })

  test.each([
    ['/a', '/'],
    ['/a//b/../c', '/a'],
    ['a', '.'],
    ['/a/b/./c', '/a/b'],
  ])('the file %s is in the folder %s, as in Go', (path, folder) => {
    expect(written(path, '')).toContain(`\nmkdir -p "${folder}"\n`)
  })

  test('a delimiter never occurs in the text, even in one that tries to contain it', () => {
    const first = delimiterOf('x')
    fc.assert(
      fc.property(fc.constantFrom('', first, `${first}_`), hostileText, (one, other) => {
        const text = `${one}${other}`
        expect(text.includes(delimiterOf(text))).toBe(false)
      }),
    )
  })
})
