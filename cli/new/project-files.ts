import { libraryName } from '../../build/project/project.ts'
import type { ProjectManifest } from './find-place.ts'
import { folderOf, type NewFunction, rulesOf } from './new-arguments.ts'
import type { TemplateFiles } from './read-template.ts'
import { repositoryFiles } from './repository-files.ts'

export interface ProjectOptions {
  readonly project: string
  /** The argument for `npm install` of the library: a version, or `file:` with its packed file. */
  readonly library: string
  /** The files of the function, by name. */
  readonly files: TemplateFiles
  /** The existing one; absent: there is none. */
  readonly manifest?: ProjectManifest
}

/** The versions of the type checker and of the bundler, as in this repository. */
const tools = { '@types/node': '24.19.2', esbuild: '0.28.2', typescript: '7.0.2' }

/** Returns the files of a project beside its function: package.json, tsconfig.json, README, Makefile, CI workflow. */
export const projectFiles = (
  fn: NewFunction,
  { project, library, files, manifest = {} }: ProjectOptions,
): TemplateFiles => {
  const { provider, name } = fn
  const folder = folderOf(fn)
  const { [libraryName]: _, ...devDependencies } = manifest.devDependencies ?? {}
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
      dependencies: { ...manifest.dependencies, [libraryName]: library },
      devDependencies: { ...tools, ...devDependencies },
      // npm asks before it runs the install script of a package.
      allowScripts: { esbuild: true },
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
    'README.md': readme(project, {
      ...{
        provider,
        name,
        folder,
        page: rulesOf(fn),
      },
      committed: library.startsWith('file:vendor/') ? ['vendor/'] : [],
    }),
    ...repositoryFiles(),
  }
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

interface Described {
  readonly provider: string
  readonly name: string
  readonly folder: string
  /** The page with its rules. */
  readonly page: string
  /** Names of other files that belong into the repository. */
  readonly committed: readonly string[]
}

const readme = (
  project: string,
  { provider, name, folder, page, committed }: Described,
): string => `# ${project}

For the authors of this extension of Gardener. \`${folder}\` is its function \`${name}\`; \`TODO\` marks the places for calls to your cloud.

    npm install      # once
    npm run dev      # start a seed on this machine with the function and its example; Ctrl-C stops it
    npm test         # run the tests against an API server in memory
    npm run replay   # print the writes that one saved event causes
    npm run check    # check types

\`npx --no trellis new ${provider}/infrastructure\` adds a function. Put it into a seed:

    npx --no trellis image --registry registry.example.com/${project} --push
    npx --no trellis install --render manifests --provider ${provider} --seed my-seed --images dist/images.json | kubectl apply --server-side -f -

\`git init\` makes this folder a repository. Commit ${['package-lock.json', ...committed].map(file => `\`${file}\``).join(', ')}, and the files of \`make manifests\`: a change of a definition then shows its permissions and settings. \`make\` lists all targets.

In \`node_modules/${libraryName}/docs\`, \`${page}\` lists the rules for this function, and \`authors.md\` describes the way to a function in a seed.
`
