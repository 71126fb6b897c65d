// Tables that panels have written, made again by the program without a window.
#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QtTest/QtTest>

namespace isolume::test {

/// Where replay_refused() has the table written again: next to it.
inline QString made_again(const QString& path) {
  const QFileInfo file(path);
  return file.path() + QStringLiteral("/again-") + file.fileName();
}

/// What the program says where it cannot make it again; empty where it can.
inline QString replay_refused(const QString& path) {
  // The record is written behind the table, on a thread of the pool.
  if (!QTest::qWaitFor([&] { return QFile::exists(path + QStringLiteral(".made.json")); }, 60000))
    return QStringLiteral("no record");
  QFile::remove(made_again(path));
  QProcess program;
  program.start(QCoreApplication::applicationDirPath() + QStringLiteral("/isolume"),
                {QStringLiteral("replay"), path, QStringLiteral("--out"), made_again(path), QStringLiteral("--device"),
                 QStringLiteral("cpu"), QStringLiteral("--trust-paths")});
  if (!program.waitForFinished(60000)) return QStringLiteral("it does not end");
  const QString said = QString::fromUtf8(program.readAllStandardError());
  return program.exitCode() == 0 ? QString() : said;
}

/// That it is made again byte by byte.
inline void expect_replayed(const QString& path) {
  EXPECT_EQ(replay_refused(path).toStdString(), "") << path.toStdString();
  QFile own(path), other(made_again(path));
  ASSERT_TRUE(own.open(QIODevice::ReadOnly) && other.open(QIODevice::ReadOnly)) << path.toStdString();
  const QByteArray bytes = own.readAll();
  EXPECT_GT(bytes.size(), 20) << path.toStdString();
  EXPECT_EQ(bytes, other.readAll()) << path.toStdString();
}

}  // namespace isolume::test
