/** The page at the end of a request and its redirects. */
export interface Page {
  url: URL;
  status: number;
  text: string;
}

/**
 * Opens a browser without a screen: it keeps cookies by origin and path, follows redirects, and fills in forms.
 * `visited` lists the visited addresses, oldest first.
 */
export function openBrowser(): {
  visited: URL[];
  go: (url: string | URL, request?: RequestInit) => Promise<Page>;
  submit: (page: Page, fields: Record<string, string>) => Promise<Page>;
} {
  const jar = new Map<string, Map<string, { value: string; path: string }>>();
  const visited: URL[] = [];

  const once = async (url: URL, request: RequestInit): Promise<Response> => {
    const cookies = jar.get(url.host) ?? new Map<string, { value: string; path: string }>();
    jar.set(url.host, cookies);
    const sent = [...cookies].filter(([, { path }]) => url.pathname.startsWith(path));
    const headers = new Headers(request.headers);
    if (sent.length > 0)
      headers.set('Cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
    if (request.method === 'POST') headers.set('Origin', url.origin);
    const response = await fetch(url, { ...request, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split(/; */);
      const [, name, value] = /^([^=]+)=(.*)$/.exec(pair!)!;
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      const isOver = attributes.some((attribute) => /^max-age=0$|^expires=thu, 01 jan 1970/i.test(attribute));
      if (isOver) cookies.delete(name!);
      else cookies.set(name!, { value: value!, path });
    }
    return response;
  };

  const go = async (target: string | URL, request: RequestInit = {}): Promise<Page> => {
    let url = new URL(target);
    let response = await once(url, request);
    visited.push(url);
    for (let hops = 0; response.status >= 300 && response.status < 400; hops += 1) {
      if (hops === 20) throw new Error(`Redirected 20 times, finally to ${url.href}.`);
      url = new URL(response.headers.get('Location')!, url);
      visited.push(url);
      response = await once(url, {});
    }
    return { url, status: response.status, text: await response.text() };
  };

  return {
    visited,
    go,
    submit: (page, fields) => {
      const [, action] = /<form[^>]*action="([^"]+)"/.exec(page.text) ?? [];
      if (action === undefined) throw new Error(`There is no form at ${page.url.href} (${page.status}).`);
      const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const body = new URLSearchParams(fields);
      for (const [, name, value] of hidden) body.set(name!, value!);
      return go(new URL(action, page.url), { method: 'POST', body });
    },
  };
}
