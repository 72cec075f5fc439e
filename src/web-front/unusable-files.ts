import { AppError } from '../errors/app-error.ts'
import { requireConsole, requirePage } from './content/page-folder.ts'
import type { ProviderSettings } from './login/provider-settings.ts'
import type { WebFrontSettings } from './settings.ts'

/**
 * What is wrong with the files of a web front, one line each: its pages, its templates and the modules of the operator.
 * A start refuses the same.
 */
export async function unusableFiles({
  content: { root },
  console,
  echo,
  providers,
}: Pick<WebFrontSettings, 'content' | 'console' | 'echo' | 'providers'>): Promise<readonly string[]> {
  const found = [
    root === undefined ? [] : await mistakesOf(() => requirePage(root)),
    console === undefined ? [] : await mistakesOf(() => requireConsole(console.folder)),
    await unusableTemplates(echo),
    ...(await Promise.all(providers.map(unusableModules))),
  ]
  return found.flat()
}

async function unusableTemplates(echo: WebFrontSettings['echo']): Promise<readonly string[]> {
  if (echo === undefined || echo.templates.length === 0) return []
  const { loadTemplates } = await import('../echo/template/load-templates.ts')
  return loadTemplates(echo).mistakes.map((mistake) => `echo: ${mistake.replaceAll(/\s*\n\s*/g, ' ')}`)
}

async function unusableModules({ name, strategy, generator }: ProviderSettings): Promise<readonly string[]> {
  if (strategy.kind !== 'module' && generator?.kind !== 'module') return []
  const { loadModule } = await import('./login/load-module.ts')
  const found = [
    ...(strategy.kind === 'module'
      ? await mistakesOf(() => loadModule(strategy.module, ['begin', 'complete'] as never))
      : []),
    ...(generator?.kind === 'module'
      ? await mistakesOf(() => loadModule(generator.module, ['generate'] as never))
      : []),
  ]
  return found.map((mistake) => `authentication ${name}: ${mistake}`)
}

async function mistakesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (error instanceof AppError) return [error.message]
    throw error
  }
}
