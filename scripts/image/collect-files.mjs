import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeBuilds } from '../bootstrap/node-builds.mjs'
import { installPinned, isInstalled } from '../bootstrap/pinned-package.mjs'
import { withProgress } from '../bootstrap/progress.mjs'
import { projectPath } from '../bootstrap/project.mjs'
import { npm, StepFailed } from '../bootstrap/run-command.mjs'

/** Debian's packages that the shared libraries and certificates come from; their licences go into the image. */
const debianPackages = ['libc6', 'libgcc-s1', 'libstdc++6', 'ca-certificates']

/** What npm installs although nothing that runs needs it: packages name it as a peer. */
const peersOnly = ['node_modules/typescript', 'node_modules/@typescript']

/** What programs look up about the user, and how they find addresses of hosts. */
const systemFiles = {
  'etc/passwd':
    'root:x:0:0:root:/root:/sbin/nologin\ngatehouse:x:10001:10001:Gatehouse:/data:/sbin/nologin\n',
  'etc/group': 'root:x:0:\ngatehouse:x:10001:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
}

/** Collects everything that the image holds in a folder, which it replaces: `root`, and `volume`, which belongs to the user of the image. */
export async function collectFiles(folder) {
  rmSync(folder, { recursive: true, force: true })
  const root = join(folder, 'root')
  mkdirSync(root, { recursive: true })
  mkdirSync(join(folder, 'volume/data'), { recursive: true })
  chmodSync(join(folder, 'volume/data'), 0o700)
  for (const name of ['tmp', 'proc']) mkdirSync(join(root, name))
  chmodSync(join(root, 'tmp'), 0o1777)
  for (const [path, text] of Object.entries(systemFiles)) write(join(root, path), text)
  const node = await addNode(root)
  const program = await addProgram(root)
  addLibraries(root, [
    node,
    ...globSync('node_modules/**/*.node', { cwd: program }).map((file) => join(program, file)),
  ])
  copy('/etc/ssl/certs/ca-certificates.crt', root)
  for (const name of debianPackages) copy(`/usr/share/doc/${name}/copyright`, root)
}

/** The pinned build, with its licence. */
async function addNode(root) {
  const build = nodeBuilds[`linux-${process.arch}`]
  if (process.platform !== 'linux' || build === undefined)
    throw new StepFailed('An image is built on Linux, on x64 or arm64.')
  const folder = projectPath('.node/image-node')
  if (!isInstalled(build, folder)) {
    await withProgress(`Fetching Node.js ${build.version} into .node/`, () => installPinned(build, folder))
  }
  const source = join(folder, 'node_modules', build.name)
  const node = join(root, 'usr/local/bin/node')
  mkdirSync(dirname(node), { recursive: true })
  copyFileSync(join(source, 'bin/node'), node)
  chmodSync(node, 0o755)
  write(join(root, 'usr/share/doc/node/LICENSE'), readFileSync(join(source, 'LICENSE')))
  return node
}

/** What the package holds, with the very packages of `package-lock.json` that it needs to run. */
async function addProgram(root) {
  const program = join(root, 'opt/gatehouse')
  for (const name of [
    'dist',
    'package.json',
    'package-lock.json',
    '.npmrc',
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
  ])
    cpSync(projectPath(name), join(program, name), { recursive: true })
  const flags = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund']
  await withProgress('Installing packages for the image', () => npm(['ci', ...flags, '--prefix', program]))
  rmSync(join(program, '.npmrc'))
  const unused = globSync(['node_modules/**/*.{map,d.ts,d.mts,d.cts}', ...peersOnly], { cwd: program })
  for (const file of unused) rmSync(join(program, file), { recursive: true, force: true })
  return program
}

/** The libraries of the system that programs are linked with, where the loader looks for them. */
function addLibraries(root, programs) {
  const wanted = new Set()
  for (const program of programs) {
    const list = execFileSync('ldd', [program], { encoding: 'utf8' })
    for (const [, path] of list.matchAll(/(\/\S+) \(0x/g)) wanted.add(path)
  }
  for (const path of wanted) copy(path, root)
}

/** A file of this machine, at the same path. */
function copy(path, root) {
  const target = join(root, path)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(realpathSync(path), target)
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
