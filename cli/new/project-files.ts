import { libraryName, type ProjectManifest } from './find-place.ts'
import type { NewFunction } from './new-arguments.ts'
import type { TemplateFiles } from './read-template.ts'

export interface ProjectOptions {
  readonly project: string
  /** The argument for `npm install` of the library: a version, or `file:` with its packed file. */
  readonly library: string
  /** The files of the function, by name. */
  readonly files: TemplateFiles
  /** The existing one; absent: there is none. */
  readonly manifest?: ProjectManifest
}

/** The versions of the type checker, as in this repository. */
const checkers = { '@types/node': '24.19.2', typescript: '7.0.2' }

/** Returns the files of a project beside its function: package.json, tsconfig.json, README.md, .gitignore. */
export const projectFiles = (
  { provider, kind, name }: NewFunction,
  { project, library, files, manifest = {} }: ProjectOptions,
): TemplateFiles => {
  const folder = `functions/${provider}/${kind.toLowerCase()}`
  // Events do not contain the Cluster of their shoot.
  const cluster = /^kind: Cluster$/m.test(files['example.yaml'] ?? '')
    ? ` --cluster ${folder}/example.yaml`
    : ''
  return {
    'package.json': json({
      name: project,
      version: '0.1.0',
      private: true,
      type: 'module',
      engines: { node: '^22.19.0 || >=24.0.0' },
      scripts: {
        check: 'tsc',
        dev: `trellis dev --function ${folder} --apply ${folder}/example.yaml --watch`,
        replay: `trellis replay --follow --function ${folder}${cluster} ${folder}/event.json`,
        test: "node --test 'functions/**/*.test.ts'",
      },
      dependencies: { [libraryName]: library, ...manifest.dependencies },
      devDependencies: { ...checkers, ...manifest.devDependencies },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2024',
        module: 'nodenext',
        types: ['node'],
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noUnusedLocals: true,
        noUnusedParameters: true,
        allowImportingTsExtensions: true,
        erasableSyntaxOnly: true,
        verbatimModuleSyntax: true,
        skipLibCheck: true,
      },
      include: ['functions'],
    }),
    'README.md': readme(name, folder, kind.toLowerCase()),
    '.gitignore': 'node_modules/\n',
  }
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const readme = (name: string, folder: string, page: string): string => `# ${name}

For the author of \`${folder}\`, a Trellis function. \`TODO\` marks the places for calls to your cloud.

    npm install      # once
    npm run dev      # start a seed on this machine with the function and its example; Ctrl-C stops it
    npm test         # run the tests against an API server in memory
    npm run replay   # print the writes that one saved event causes
    npm run check    # check types

In \`node_modules/${libraryName}/docs\`, \`kinds/${page}.md\` lists gardenlet's rules for this kind, and \`authors.md\` describes the way to a function in a seed.
`
