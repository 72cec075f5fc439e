import { tryAgainOr, type WayOn } from '../http/error-response.ts'

/** The header of a 401 that says where the browser that opens a page behind a reverse proxy logs in. */
export const loginHeader = 'x-gatehouse-login'

/** From the page of an error people get to the login if no one is logged in, otherwise to the application at `home`. */
export function frontWayOn(home: string): WayOn {
  const others = tryAgainOr({ label: 'Back to the start page', url: home })
  return (error, request) => {
    const { login } = error.members
    const known = error.headers[loginHeader]
    if (known !== undefined) return { label: 'Log in', url: known }
    if (error.code !== 'LOGIN_REQUIRED' || typeof login !== 'string') return others(error, request)
    const isPage = request.method === 'GET' && request.target !== undefined
    return { label: 'Log in', url: `${login}?returnTo=${encodeURIComponent(isPage ? request.target : home)}` }
  }
}
