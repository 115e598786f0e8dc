vcl 4.1;

# Varnish in front of two api processes, instead of nginx or behind a TLS proxy. Names in braces are filled in by
# envsubst:
#   export DAYBOOK_EDGE_API_1_HOST=127.0.0.1 DAYBOOK_EDGE_API_1_PORT=8080
#   export DAYBOOK_EDGE_API_2_HOST=127.0.0.1 DAYBOOK_EDGE_API_2_PORT=8082
#   export DAYBOOK_VARNISH_TOKEN=...   # the same as the workers have: 16 to 512 letters, digits and . _ ~ + / = -
#   envsubst "$(printf '${%s} ' ${!DAYBOOK_EDGE_@} DAYBOOK_VARNISH_TOKEN)" < varnish.vcl > /etc/varnish/daybook.vcl
#   varnishd -a :80 -f /etc/varnish/daybook.vcl -s malloc,1g
# Workers need DAYBOOK_VARNISH_URLS and DAYBOOK_VARNISH_TOKEN: they send a PURGE with the tags of withdrawn or
# corrected items. The api processes must list this machine in DAYBOOK_TRUSTED_PROXIES, or all clients count as one.
# docs/guides/caching.md states how soon a withdrawal takes effect.

import directors;
import std;

probe ready {
  .url = "/readyz";
  .interval = 1s;
  .timeout = 2s;
  .window = 3;
  .threshold = 2;
  .initial = 2;
}

backend api_1 {
  .host = "${DAYBOOK_EDGE_API_1_HOST}";
  .port = "${DAYBOOK_EDGE_API_1_PORT}";
  .probe = ready;
  .connect_timeout = 2s;
  .first_byte_timeout = 60s;
}

backend api_2 {
  .host = "${DAYBOOK_EDGE_API_2_HOST}";
  .port = "${DAYBOOK_EDGE_API_2_PORT}";
  .probe = ready;
  .connect_timeout = 2s;
  .first_byte_timeout = 60s;
}

sub vcl_init {
  new api = directors.round_robin();
  api.add_backend(api_1);
  api.add_backend(api_2);
}

sub vcl_recv {
  set req.backend_hint = api.backend();

  if (req.method == "PURGE") {
    # A template that was filled in without a token purges for no one.
    if (req.http.X-Purge-Token !~ "^.{16}" || req.http.X-Purge-Token != "${DAYBOOK_VARNISH_TOKEN}") {
      return (synth(403, "Forbidden"));
    }
    if (req.http.X-Purge-Tags !~ "^[A-Za-z0-9-]+( [A-Za-z0-9-]+)*$") {
      return (synth(400, "Tags expected"));
    }
    if (!std.ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.X-Purge-Tags, " ", "|") + ")(\s|$)")) {
      return (synth(500, std.ban_error()));
    }
    return (synth(200, "Banned"));
  }
  unset req.http.X-Purge-Token;

  if (req.url ~ "^/(metrics|readyz)(\?|$)") {
    return (synth(404, "Not found"));
  }
  # Uploads and downloads are streamed, in both directions at once.
  if (req.url ~ "^/((api/v1|platform/[^/]+)/(tus/[^/?]+|(uploads|files|folders|projects|shared)/[^/]+/(content|preview|picture|files|archive))|websub/[^/?]+|previews/[^/?]+)(\?|$)") {
    return (pipe);
  }
  # A response to a request with credentials is for that client alone.
  if (req.http.Authorization || req.http.Cookie || req.http.X-API-Key || (req.method != "GET" && req.method != "HEAD")) {
    return (pass);
  }
  # An expired copy is served only while no api process answers; a banned copy is never served.
  if (std.healthy(req.backend_hint)) {
    set req.grace = 0s;
  }
  return (hash);
}

sub vcl_pipe {
  # One request per connection, so that each passes the rules above.
  set bereq.http.Connection = "close";
}

sub vcl_backend_error {
  # A restarting process refuses connections for a moment; reads are sent to the other one.
  if (bereq.retries < 2 && (bereq.method == "GET" || bereq.method == "HEAD")) {
    return (retry);
  }
}

sub vcl_backend_response {
  # The api decides which responses may be cached. Bans drop withdrawn copies at once; if a ban is lost, a copy is
  # fetched again after ten seconds. 404 and 410 are cached as briefly as nginx caches everything.
  if (!beresp.http.X-Accel-Expires || bereq.uncacheable) {
    # Stored as uncacheable, so that requests for it do not wait for each other.
    set beresp.uncacheable = true;
    set beresp.ttl = 2m;
    return (deliver);
  }
  if (beresp.status == 200 || beresp.status == 304 || beresp.status == 308) {
    set beresp.ttl = 10s;
  } else {
    set beresp.ttl = 1s;
  }
  set beresp.grace = 1h;
  set beresp.keep = 10m;
  return (deliver);
}

sub vcl_deliver {
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  unset resp.http.X-Accel-Expires;
  unset resp.http.X-Varnish;
  unset resp.http.Via;
}
