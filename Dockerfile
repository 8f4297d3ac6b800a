# The server with its web app and the embedded speech models. docs/deploy.md says how to run it.
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements/run.txt requirements/run.txt
RUN python -m venv /opt/voicetable && /opt/voicetable/bin/pip install --no-cache-dir --require-hashes -r requirements/run.txt
COPY . .
# Builds the browser app too (hatch_build.py), with a Node that is fetched as a package.
RUN /opt/voicetable/bin/pip install --no-cache-dir --no-deps .

FROM python:3.11-slim
COPY --from=build /opt/voicetable /opt/voicetable
RUN useradd --system --uid 10001 voicetable && install -d -o voicetable -m 700 /data
USER voicetable
ENV PATH=/opt/voicetable/bin:$PATH VOICETABLE_HOST=0.0.0.0 VOICETABLE_PORT=8000 VOICETABLE_DATA=/data \
    VOICETABLE_UDP_PORTS=20000-20200
VOLUME /data
EXPOSE 8000/tcp 20000-20200/udp
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/api/health', timeout=3)"]
CMD ["voicetable", "serve"]
